/**
 * The life of one leg of a direct call (calling library §4, direct call states), as data.
 *
 *     idle ── dialing ──────────────┐
 *      │                            ├─ established ── connected ⇄ reconnecting
 *      └──── ringing ── accepting ──┘        │            │            │
 *               │           │                └──────┬─────┴────────────┘
 *            canceled       └───────────────────────┤
 *               └──────────────────────────────── closing ── ending ── ended
 *      idle ── aborted ── ended
 */
import type { EndResult } from '../../protocol/enumerations.ts';
import type { Machine, Row, Table } from '../machine/machine.ts';
import type { SoundName } from '../platform/sounds.ts';

export const CALL_STATES = [
  'idle',
  'dialing',
  'ringing',
  'accepting',
  'established',
  'connected',
  'reconnecting',
  'ended',
  'aborted',
  'closing',
  'ending',
  'canceled',
] as const;
export type CallState = (typeof CALL_STATES)[number];

export const CALL_EVENTS = [
  'dialAcknowledged',
  'dialFailed',
  'incomingDial',
  'acceptRequested',
  'acceptAcknowledged',
  'acceptFailed',
  'remoteAccepted',
  'otherDeviceAccepted',
  'offerReceived',
  'endRequested',
  'remoteCanceled',
  'remoteEnded',
  'ringTimedOut',
  'connectionTimedOut',
  'graceTimedOut',
  'aliveDue',
  'peerConnected',
  'peerLost',
  'cancelSettled',
  'mediaClosed',
  'endNotified',
] as const;
export type CallEventName = (typeof CALL_EVENTS)[number];

export type CallEffect =
  | 'sendCancel'
  | 'sendDecline'
  | 'sendEnd'
  | 'sendNoAnswer'
  | 'sendAccept'
  | 'sendAlive'
  | 'sendAcceptingTimeout'
  | 'sendOfferingTimeout'
  | 'sendAnsweringTimeout'
  | 'sendConnectionLost'
  | 'sendMediaState'
  | 'sendConnected'
  | 'sendReconnected'
  | 'sendSummary'
  | 'createPeerConnection'
  | 'createOffer'
  | 'applyOffer'
  | 'startStats'
  | 'stopStats'
  | 'stopRecording'
  | 'stopScreenShare'
  | 'openMedia'
  | 'closeMedia'
  | 'countReconnection'
  | 'playReconnected'
  | 'notifyRinging'
  | 'notifyEstablished'
  | 'notifyConnected'
  | 'notifyReconnecting'
  | 'notifyReconnected'
  | 'notifyEnded'
  | 'settleCancel'
  | 'release';

export type CallTimer = 'alive' | 'ring' | 'connection' | 'grace';

export type CallRole = 'dc_caller' | 'dc_callee';

export interface CallRow extends Row<CallState, CallEventName, CallEffect, CallRole> {
  /** The result of the call when this row ends it. `told`: the result that the event brings from the exchange. */
  readonly result?: EndResult | 'told';
}

const ALIVE = ['dialing', 'ringing', 'accepting', 'established', 'connected', 'reconnecting'] as const;
const OVER = ['closing', 'ending', 'ended', 'canceled', 'aborted'] as const;

const rows: readonly CallRow[] = [
  // The caller dials.
  { ids: ['DC-01'], from: 'idle', on: 'dialAcknowledged', to: 'dialing' },
  { ids: ['DC-02'], from: 'idle', on: 'dialFailed', to: 'closing', result: 'dial_failed' },
  { ids: ['DC-03'], from: 'idle', on: 'endRequested', to: 'aborted', result: 'canceled' },
  {
    ids: ['DC-07'],
    from: 'dialing',
    on: 'remoteAccepted',
    to: 'established',
    effects: ['createPeerConnection', 'sendMediaState', 'createOffer', 'notifyEstablished'],
  },
  { ids: ['DC-08'], from: 'dialing', on: 'endRequested', to: 'closing', effects: ['sendCancel'], result: 'canceled' },
  {
    ids: ['DC-09'],
    from: 'dialing',
    on: 'ringTimedOut',
    to: 'closing',
    effects: ['sendNoAnswer'],
    result: 'no_answer',
  },

  // The callee is rung.
  { ids: ['DC-11'], from: 'idle', on: 'incomingDial', to: 'ringing', effects: ['notifyRinging'] },
  {
    ids: ['DC-14', 'DC-20'],
    from: 'ringing',
    on: 'acceptRequested',
    to: 'accepting',
    effects: ['sendAccept', 'openMedia'],
  },
  {
    ids: ['DC-15'],
    from: 'ringing',
    on: 'endRequested',
    to: 'closing',
    effects: ['sendDecline'],
    result: 'declined',
  },
  {
    // In each state: two nodes of an exchange may each have accepted the call for a while. A caller never gets this.
    ids: ['DC-16'],
    from: ALIVE,
    on: 'otherDeviceAccepted',
    to: 'closing',
    result: 'other_device_accepted',
  },
  { ids: ['DC-17'], from: 'ringing', on: 'ringTimedOut', to: 'closing', result: 'no_answer' },
  { ids: ['DC-18'], from: 'ringing', on: 'remoteCanceled', to: 'canceled', result: 'canceled' },
  { ids: ['DC-19'], from: 'canceled', on: 'cancelSettled', to: 'closing' },

  // The callee accepts. An accept acknowledgement or the first offer, whichever comes first.
  {
    ids: ['DC-22', 'DC-26', 'DC-27'],
    from: 'accepting',
    on: 'acceptAcknowledged',
    to: 'established',
    effects: ['createPeerConnection', 'sendMediaState', 'notifyEstablished'],
  },
  {
    ids: ['DC-23', 'DC-26', 'DC-27'],
    from: 'accepting',
    on: 'offerReceived',
    to: 'established',
    effects: ['createPeerConnection', 'sendMediaState', 'notifyEstablished', 'applyOffer'],
  },
  { ids: ['DC-23'], from: ['established', 'connected', 'reconnecting'], on: 'acceptAcknowledged' },
  { ids: ['DC-24'], from: 'accepting', on: 'acceptFailed', to: 'closing', result: 'accept_failed' },
  { ids: ['DC-24'], from: ['established', 'connected', 'reconnecting'], on: 'acceptFailed' },
  { ids: ['DC-18'], from: 'accepting', on: 'remoteCanceled', to: 'closing', result: 'canceled' },
  {
    ids: ['DC-25'],
    from: 'accepting',
    on: 'connectionTimedOut',
    to: 'closing',
    effects: ['sendAcceptingTimeout'],
    result: 'timed_out',
  },

  // Both sides connect their media.
  { ids: ['DC-26'], from: ['established', 'connected', 'reconnecting'], on: 'offerReceived', effects: ['applyOffer'] },
  {
    ids: ['DC-29', 'DC-33', 'DC-34'],
    from: 'established',
    on: 'peerConnected',
    to: 'connected',
    effects: ['sendConnected', 'startStats', 'notifyConnected'],
  },
  {
    ids: ['DC-30'],
    from: 'established',
    on: 'connectionTimedOut',
    role: 'dc_caller',
    to: 'closing',
    effects: ['sendOfferingTimeout'],
    result: 'timed_out',
  },
  {
    ids: ['DC-31'],
    from: 'established',
    on: 'connectionTimedOut',
    role: 'dc_callee',
    to: 'closing',
    effects: ['sendAnsweringTimeout'],
    result: 'timed_out',
  },

  // Media is lost and found.
  { ids: ['DC-35'], from: 'connected', on: 'peerLost', to: 'reconnecting', effects: ['notifyReconnecting'] },
  {
    ids: ['DC-39'],
    from: 'reconnecting',
    on: 'peerConnected',
    to: 'connected',
    effects: ['countReconnection', 'sendReconnected', 'playReconnected', 'notifyReconnected'],
  },
  {
    ids: ['DC-38'],
    from: 'reconnecting',
    on: 'graceTimedOut',
    to: 'closing',
    effects: ['sendConnectionLost'],
    result: 'connection_lost',
  },

  // A user hangs up.
  {
    ids: ['DC-53'],
    from: ['accepting', 'established'],
    on: 'endRequested',
    to: 'closing',
    effects: ['sendEnd'],
    result: 'not_connected',
  },
  { ids: ['DC-36'], from: 'connected', on: 'endRequested', to: 'closing', effects: ['sendEnd'], result: 'completed' },
  {
    ids: ['DC-40'],
    from: 'reconnecting',
    on: 'endRequested',
    to: 'closing',
    effects: ['sendEnd'],
    result: 'completed',
  },
  {
    ids: ['DC-10', 'DC-36'],
    from: ALIVE,
    on: 'remoteEnded',
    to: 'closing',
    result: 'told',
  },
  // News that crosses the end of the call changes nothing.
  { ids: ['DC-45'], from: OVER, on: 'remoteEnded' },
  { ids: ['DC-45'], from: OVER, on: 'remoteCanceled' },
  { ids: ['DC-45'], from: OVER, on: 'otherDeviceAccepted' },
  { ids: ['DC-45'], from: OVER, on: 'acceptAcknowledged' },
  { ids: ['DC-45'], from: OVER, on: 'acceptFailed' },
  { ids: ['DC-45'], from: OVER, on: 'offerReceived' },

  // The end, in its order.
  { ids: ['DC-42'], from: 'closing', on: 'mediaClosed', to: 'ending' },
  { ids: ['DC-45'], from: 'ending', on: 'endNotified', to: 'ended' },
  { ids: ['DC-47'], from: 'aborted', on: 'endNotified', to: 'ended' },

  { ids: ['DC-05', 'DC-13'], from: ALIVE, on: 'aliveDue', effects: ['sendAlive'] },
];

export const CALL_MACHINE: Machine<CallState, CallEventName, CallEffect, CallTimer, CallRole, CallRow> = {
  initial: 'idle',
  rows,
  entry: {
    canceled: ['settleCancel'],
    closing: ['stopStats', 'stopRecording', 'stopScreenShare', 'closeMedia'],
    ending: ['sendSummary', 'notifyEnded'],
    aborted: ['notifyEnded'],
    ended: ['release'],
  },
  timers: {
    alive: { ids: ['DC-05', 'DC-13', 'DC-41', 'DC-47'], during: ALIVE, repeats: true, raises: 'aliveDue' },
    ring: { ids: ['DC-06', 'DC-09', 'DC-17'], during: ['dialing', 'ringing'], repeats: false, raises: 'ringTimedOut' },
    connection: {
      ids: ['DC-21', 'DC-28', 'DC-32'],
      during: ['accepting', 'established'],
      repeats: false,
      raises: 'connectionTimedOut',
    },
    grace: { ids: ['DC-38'], during: ['reconnecting'], repeats: false, raises: 'graceTimedOut' },
  },
};

export const CALL_TABLE: Table<CallState, CallEventName, CallEffect, CallTimer, CallRole, CallRow> = {
  ...CALL_MACHINE,
  name: 'Direct call',
  states: CALL_STATES,
  events: CALL_EVENTS,
  final: ['ended'],
};

/** The sound that loops in a state (§4). Every other state is silent, also `ended` (DC-46). */
export const CALL_SOUNDS: Readonly<Partial<Record<CallState, SoundName>>> = {
  dialing: 'DIALING',
  ringing: 'RINGING',
  reconnecting: 'RECONNECTING',
};

/** Returns whether the end of a call sends the summary: not when another device accepted the call (§4). */
export const summaryWanted = (result: EndResult): boolean => result !== 'other_device_accepted';
