import type { RoomSnapshot } from '../../exchange/rooms/room-snapshot.ts';
import type { EndRecord } from '../../exchange/calls/call.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

/** The state of an exchange: its live calls and rooms, its devices, and the results of ended calls. */
export interface SeenServer {
  readonly liveCalls: readonly unknown[];
  readonly deviceCount: number;
  readonly roomSnapshots: readonly RoomSnapshot[];
  readonly records: readonly Pick<EndRecord, 'endResult' | 'duration'>[];
  /** The number of nodes that run. Absent for an exchange that cannot have several. */
  readonly nodes?: number;
  /** The names of the nodes that have a live call, one for each of their calls. */
  readonly owners?: readonly string[];
}

/** Returns a value of the exchange, by the word behind `server`. */
export function readServer(what: string | undefined, exchange: SeenServer, trace: readonly TraceEvent[]): unknown {
  const participants = exchange.roomSnapshots.flatMap((room) => room.participants);
  switch (what) {
    case 'nodes':
      return exchange.nodes;
    case 'owners':
      return exchange.owners;
    case 'calls':
      return exchange.liveCalls.length;
    case 'devices':
      return exchange.deviceCount;
    case 'rooms':
      return exchange.roomSnapshots.length;
    case 'participants':
      return participants.map(({ userId }) => userId);
    case 'connected':
      return participants.filter(({ state }) => state === 'connected').length;
    case 'endpoints':
      return sum(participants.map(({ endpoints }) => endpoints));
    case 'invitations':
      return sum(exchange.roomSnapshots.map(({ invitations }) => invitations));
    case 'results':
      return exchange.records.map(({ endResult }) => endResult);
    case 'durations':
      return exchange.records.map(({ duration }) => duration);
    case 'summaries':
      return trace.filter(
        (event) => event.kind === 'http' && event.direction === 'up' && event.request.endsWith('/summary'),
      ).length;
    default:
      return undefined;
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
