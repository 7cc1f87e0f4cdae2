import type { EventFrame } from '../../protocol/envelope.ts';
import type { ServerEventType } from '../../protocol/messages/events.ts';
import type { Logger } from '../logging/log.ts';
import type { SignalConsumer } from '../realtime/dispatcher.ts';
import type { Signalling } from '../realtime/signalling.ts';
import { missedSignals } from '../rest/requests.ts';
import type { Rest } from '../rest/rest-client.ts';
import type { CallFrame } from './incoming-signals.ts';

/** The kind of direct calls among the recoveries of signals. */
export const CALLS = 'calls';

/** The events after which a call is over for this device. */
const ENDINGS: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  'cancel',
  'decline',
  'end',
  'timeout',
  'connection_lost',
  'no_answer',
  'unknown_end',
  'other_device_accepted',
]);

const isOfCall = (frame: EventFrame): frame is CallFrame => 'call_id' in frame.payload;

/** The routes of commands and requests about calls. */
interface Routes {
  readonly signalling: Pick<Signalling, 'request'>;
  readonly rest: Rest;
}

/** The calls that signals reach. */
export interface SignalledCalls<Connection> {
  /** Handles an event about a call. An event of an unknown call is ignored. */
  receive(frame: CallFrame, connection: Connection): void;
  /** Returns the ids of the live calls that the exchange knows. */
  liveIds(): readonly string[];
  /** Ends a live call that the exchange does not know, with an unknown result (D12). */
  unknown(callId: string): void;
}

/** Returns the consumer of the signals of direct calls over one connection. */
export function callSignals<Connection extends Routes>(
  calls: SignalledCalls<Connection>,
  connection: Connection,
  log: Logger,
): SignalConsumer {
  return {
    receive: (frame) => {
      if (!isOfCall(frame)) return false;
      calls.receive(frame, connection);
      return true;
    },
    recovery: {
      kind: CALLS,
      liveIds: () => calls.liveIds(),
      fetchUnended: async () =>
        (await connection.signalling.request('unended_calls', {})).calls.map(({ call_id }) => call_id),
      fetchMissed: (ids) => missedSignals(connection.rest, ids, log),
      idOf: (frame) => (isOfCall(frame) ? frame.payload.call_id : undefined),
      isEnd: ({ type }) => ENDINGS.has(type),
      unknown: (callId) => calls.unknown(callId),
    },
  };
}
