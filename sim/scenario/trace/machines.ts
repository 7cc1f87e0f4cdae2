/** The state machines of the library, as traces show them. A new machine is a name and a row here. */
import { CALL_TABLE, type CallState, type CallTimer } from '../../../src/calls/direct-call/table.ts';
import { PEER_TABLE, type PeerState } from '../../../src/calls/peer/table.ts';
import { ENDPOINT_TABLE, type EndpointState } from '../../../src/calls/room/endpoint-table.ts';
import { ROOM_SESSION_TABLE, type RoomSessionState } from '../../../src/calls/room/room-table.ts';
import { ROOM_TIMES, TIMES } from '../../../src/protocol/limits.ts';
import type { Tone, TraceMachine, TraceTimer } from '../../../src/trace/machines.ts';

/** The names of the state machines in a trace. */
const MACHINE_NAMES = ['call', 'peer', 'room', 'endpoint'] as const;
export type MachineName = (typeof MACHINE_NAMES)[number];

/** A state machine of the library. */
interface LibraryMachine extends TraceMachine {
  /** The words that introduce its moves in the log of the library. */
  readonly logName: string;
}

const CALL_TONES: Readonly<Record<CallState, Tone>> = {
  idle: 'over',
  dialing: 'way',
  ringing: 'way',
  accepting: 'way',
  established: 'way',
  connected: 'good',
  reconnecting: 'trouble',
  canceled: 'over',
  closing: 'over',
  ending: 'over',
  aborted: 'over',
  ended: 'over',
};

const PEER_TONES: Readonly<Record<PeerState, Tone>> = {
  idle: 'over',
  offering: 'way',
  answering: 'way',
  connected: 'good',
  reconnecting: 'trouble',
  iceRestartOffering: 'trouble',
  iceRestartAnswering: 'trouble',
  closed: 'over',
};

const ROOM_TONES: Readonly<Record<RoomSessionState, Tone>> = {
  idle: 'over',
  entering: 'way',
  entered: 'good',
  exiting: 'over',
  deleted: 'over',
};

const ENDPOINT_TONES: Readonly<Record<EndpointState, Tone>> = {
  idle: 'over',
  offering: 'way',
  established: 'way',
  connected: 'good',
  disconnected: 'trouble',
  reconnecting: 'trouble',
  releasing: 'over',
  closed: 'over',
};

/** The lengths of the timers of a call for a host that sets none. Milliseconds. */
export const DEFAULT_LENGTHS: Readonly<Record<CallTimer, number>> = {
  alive: TIMES.aliveIntervalMs,
  ring: TIMES.ringingTimeoutMs,
  connection: TIMES.connectionTimeoutMs,
  grace: TIMES.reconnectGraceMs,
};

const callTimer = (name: CallTimer): TraceTimer => ({ ...CALL_TABLE.timers[name], lengthMs: DEFAULT_LENGTHS[name] });

export const MACHINES: Readonly<Record<MachineName, LibraryMachine>> = {
  call: {
    initial: CALL_TABLE.initial,
    final: CALL_TABLE.final,
    tones: CALL_TONES,
    timers: {
      alive: callTimer('alive'),
      ring: callTimer('ring'),
      connection: callTimer('connection'),
      grace: callTimer('grace'),
    },
    isMain: true,
    ladderLabel: '',
    timelineLabel: '',
    logName: 'call',
  },
  peer: {
    initial: PEER_TABLE.initial,
    final: PEER_TABLE.final,
    tones: PEER_TONES,
    timers: {},
    isMain: false,
    ladderLabel: 'peer',
    timelineLabel: 'connection',
    logName: 'peer connection',
  },
  room: {
    initial: ROOM_SESSION_TABLE.initial,
    final: ROOM_SESSION_TABLE.final,
    tones: ROOM_TONES,
    timers: { alive: { ...ROOM_SESSION_TABLE.timers.alive, lengthMs: ROOM_TIMES.roomAliveIntervalMs } },
    isMain: true,
    ladderLabel: 'room',
    timelineLabel: 'room',
    logName: 'room session',
  },
  endpoint: {
    initial: ENDPOINT_TABLE.initial,
    final: ENDPOINT_TABLE.final,
    tones: ENDPOINT_TONES,
    timers: { reconnect: { ...ENDPOINT_TABLE.timers.reconnect, lengthMs: ROOM_TIMES.endpointReconnectMs } },
    isMain: false,
    ladderLabel: 'endpoint',
    timelineLabel: 'endpoint',
    logName: 'media endpoint',
  },
};

/** Returns the machine whose moves the library logs with these words. Undefined if there is none. */
export const machineLoggedAs = (logName: string): MachineName | undefined =>
  MACHINE_NAMES.find((name) => MACHINES[name].logName === logName);
