/** The invariants after any story of one room with any faults. Each returns a message when it is broken. */
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { ROOM_TIMES } from '../../../src/protocol/limits.ts';
import { spanText } from '../../format/duration.ts';
import type { MessageEvent, SocketEvent, StateEvent, TraceEvent } from '../../../src/trace/events.ts';
import { LATENCY_MS } from '../../virtual/transit.ts';
import { valueAt } from '../trace/predicates.ts';
import { type Aftermath, firstOf, hasSlept, type Invariant, of } from '../invariants/aftermath.ts';

const ENTERED = 'remoteParticipantEntered';
const EXITED = 'remoteParticipantExited';

/** Times in a trace are whole milliseconds, and a message takes one. */
const SLACK_MS = 5;

/** The participants of each room in any payload: those that a device can know. */
function participantsIn(payload: unknown): string[] {
  if (Array.isArray(payload)) return payload.flatMap(participantsIn);
  if (typeof payload !== 'object' || payload === null) return [];
  return Object.entries(payload).flatMap(([key, value]) =>
    key === 'participant_id' && typeof value === 'string' ? [value] : participantsIn(value),
  );
}

/** The notices about one participant on one device come in order: entered, then others, then exited, then none. */
function wrongOrder(after: Aftermath, device: string): string | undefined {
  const known = new Set<string>();
  const gone = new Set<string>();
  const entered = new Set<string>();
  for (const event of after.trace) {
    if (!('device' in event) || event.device !== device) continue;
    if (event.kind === 'message' || event.kind === 'http')
      for (const id of participantsIn(event.kind === 'http' ? event.body : event.payload)) known.add(id);
    if (event.kind !== 'told' || event.about === undefined) continue;
    const { name, about } = event;
    if (!known.has(about)) return `${name} was about an unknown participant`;
    if (gone.has(about)) return `${name} came after the exit of its participant`;
    if (name === ENTERED && entered.has(about)) return 'a participant entered twice';
    if (name === ENTERED) entered.add(about);
    if (name === EXITED) gone.add(about);
  }
  return undefined;
}

/** After a session ended, the host gets no event about a participant, until it enters again. */
function eventsAfterLeave(after: Aftermath, device: string): string | undefined {
  let isInside = false;
  for (const event of after.trace) {
    if (!('device' in event) || event.device !== device) continue;
    if (event.kind === 'state' && event.machine === 'room') isInside = event.to === 'entered';
    if (event.kind === 'told' && event.about !== undefined && !isInside)
      return `${event.name} came while the device was not in the room`;
  }
  return undefined;
}

/** Returns whether another device of the user of a device has entered in its place. */
const wasKicked = (trace: readonly TraceEvent[], device: string): boolean =>
  trace.some(
    (event) =>
      event.kind === 'message' &&
      event.cmd === 'room_enter' &&
      event.device !== device &&
      userOf(event.device) === userOf(device) &&
      valueAt(event.payload, 'kick_siblings') === true,
  );

/** Returns the user of a device, as scenarios name it: `bob` of `bob.phone`. */
const userOf = (device: string): string => device.split('.')[0] ?? device;

/** The waits of endpoints before they offer again. A device that slept or was throttled waits longer. */
function wrongReconnects(after: Aftermath, device: string): string | undefined {
  const moves = of(after, 'state', device).filter(({ machine }) => machine === 'endpoint');
  const waiting: StateEvent[] = [];
  for (const move of moves) {
    if (move.to === 'reconnecting') waiting.push(move);
    if (move.from !== 'reconnecting') continue;
    const own = waiting.findIndex(({ id }) => id === move.id);
    const [begun] = own < 0 ? [] : waiting.splice(own, 1);
    if (move.to !== 'offering') continue;
    const waited = move.at - (begun?.at ?? move.at);
    if (!isReconnectWait(waited) && !hasSlept(after, device)) {
      return `an endpoint offered again after ${spanText(waited)}`;
    }
  }
  return undefined;
}

const isReconnectWait = (ms: number): boolean =>
  ms >= ROOM_TIMES.endpointReconnectMs - SLACK_MS &&
  ms <= ROOM_TIMES.endpointReconnectMs + ROOM_TIMES.endpointReconnectNoiseMs + SLACK_MS;

/**
 * The time from the sending of a message until a closing channel can no longer lose it. A message takes one way through
 * the network. A channel that the device closes is reported closed after two more.
 */
const LOSS_MS = 3 * LATENCY_MS;

/**
 * Returns whether a message to a device was lost with its channel. The channel was closed when the message was sent, or
 * closed before it arrived. The client then repeats the command.
 */
function isLost(after: Aftermath, message: MessageEvent): boolean {
  const sent = after.trace.indexOf(message);
  const isOf = (event: TraceEvent): event is SocketEvent => event.kind === 'socket' && event.device === message.device;
  const former = after.trace.slice(0, sent).filter(isOf).at(-1);
  const later = after.trace.slice(sent).filter(isOf);
  return former?.what === 'close' || later.some(({ what, at }) => what === 'close' && at - message.at <= LOSS_MS);
}

/** An attach whose acceptance reached the device is not sent again for the same endpoint and participant. */
function repeatedAttach(after: Aftermath, device: string): string | undefined {
  const messages = of(after, 'message', device).filter(({ fate }) => fate === undefined);
  const accepted = new Set<string>();
  let asked: MessageEvent[] = [];
  for (const message of messages) {
    const { cmd, direction, payload, error } = message;
    const endpoint = String(valueAt(payload, 'endpoint_id'));
    const key = `${endpoint} ${String(valueAt(payload, 'attach_to'))}`;
    if (direction === 'up' && cmd === 'endpoint_detach') accepted.delete(key);
    if (direction === 'up' && cmd === 'endpoint_attach') {
      if (accepted.has(key)) return 'an attach that was accepted was sent again';
      asked.push(message);
    }
    if (direction !== 'down' || cmd !== 'endpoint_attach_ack') continue;
    const [first, ...others] = asked;
    asked = others;
    // With several attaches under way the replies may come in any order, so only single ones count.
    if (error === undefined && first && others.length === 0 && !isLost(after, message))
      accepted.add(`${String(valueAt(first.payload, 'endpoint_id'))} ${String(valueAt(first.payload, 'attach_to'))}`);
  }
  return undefined;
}

export const ROOM_INVARIANTS: Readonly<Record<string, Invariant>> = {
  /** Events about a participant are in order and known, and a leave is final. */
  I17: (after) =>
    firstOf(after, (device) => wrongOrder(after, device)) ??
    firstOf(after, (device) => eventsAfterLeave(after, device)),
  /** An endpoint connects again after 5 to 6 seconds, and an attach is applied once. */
  I18: (after) =>
    firstOf(after, (device) => wrongReconnects(after, device)) ??
    firstOf(after, (device) => repeatedAttach(after, device)),
  /** The exchange has no room left when every user has left. */
  I22: (after) =>
    after.read('server.rooms') === 0 ? undefined : `the exchange has ${String(after.read('server.rooms'))} rooms`,
};

/** Faults that move a room to another node. */
const MOVES_ROOMS = /^(?:node of \S+ how (?:crash|restart|drain)|bus how duplicate)/;

/** The invariants of a room at several nodes, besides those of any room. */
export const ROOM_CLUSTER_INVARIANTS: Readonly<Record<string, Invariant>> = {
  /** The participants of a room stay in it while only its nodes are replaced. */
  I29: (after) => {
    const other = after.trace.findIndex((event) => event.kind === 'fault' && !MOVES_ROOMS.test(event.what));
    const lost = after.trace.findIndex(
      (event, at) =>
        event.kind === 'error' &&
        event.code === ErrorCode.ERR_LOCAL_PARTICIPANT_LOST_CONNECTION &&
        !wasKicked(after.trace.slice(0, at), event.device),
    );
    if (lost === -1 || (other !== -1 && other < lost)) return undefined;
    return 'a participant was lost although only nodes were replaced';
  },
};
