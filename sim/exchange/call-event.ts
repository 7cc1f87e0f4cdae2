import type { Call, EndRecord } from './call.ts';
import type { Log } from './log.ts';
import type { Clock } from './ports.ts';

interface OfACall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What a host of the exchange is told of calls, as it happens. */
export type CallEvent =
  /** Both sides have media. */
  | (OfACall & { readonly kind: 'connected' })
  /** A connected call is put on hold by the first of its sides, or taken off by the last. */
  | (OfACall & { readonly kind: 'held' | 'resumed' })
  /** The exchange has started again, and both sides of a connected call have come back. */
  | (OfACall & { readonly kind: 'returned' })
  | (OfACall & { readonly kind: 'ended'; readonly record: EndRecord });

/** A call in which both sides have media. */
export interface ConnectedCall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** Since when, milliseconds since the epoch. */
  readonly at: number;
  readonly isHeld: boolean;
  /** Whether both sides have been heard of since the exchange started. */
  readonly isBack: boolean;
}

/** What a host is asked before a call is dialled. */
export interface DialQuestion {
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
}

type Kind = { readonly kind: 'connected' | 'held' | 'resumed' | 'returned' } | Pick<EndedEvent, 'kind' | 'record'>;
type EndedEvent = Extract<CallEvent, { kind: 'ended' }>;

/** Of the core, what telling needs. */
interface Watched {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'error'>;
  readonly callListeners: ReadonlySet<(event: CallEvent) => void>;
}

/** Tells whoever watches. One that throws breaks no call. */
export function tellOf(core: Watched, call: Call, what: Kind): void {
  const event: CallEvent = {
    callId: call.id,
    caller: call.callerUser.user_id,
    callee: call.calleeUser.user_id,
    isVideoCall: call.isVideoCall,
    at: core.clock.now(),
    ...what,
  };
  for (const listener of [...core.callListeners]) {
    try {
      listener(event);
    } catch (error) {
      core.log.error('a listener to calls failed', { call: call.id, error });
    }
  }
}
