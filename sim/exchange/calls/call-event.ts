import type { Call, EndRecord } from './call.ts';
import type { Log } from '../logging/log.ts';
import type { LostSide } from './lost-side.ts';
import type { Side } from './outcomes.ts';
import type { Clock } from '../ports.ts';

interface OfACall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The same moment by the monotonic clock, from which lengths are measured. Milliseconds. */
  readonly clock: number;
}

/** An event of a call, as a host of the exchange gets it. */
export type CallEvent =
  /** A call that the host allowed was not dialled after all: it had no effect and is in no history. */
  | (OfACall & { readonly kind: 'not_dialled' })
  /** Media has begun, by what the exchange observed: one side says so, both do, or it is taken for granted. */
  | (OfACall & { readonly kind: 'begun' })
  /** Both sides have media, as they say. */
  | (OfACall & { readonly kind: 'connected' })
  /** A call whose media has begun is put on hold by the first of its sides, or taken off by the last. */
  | (OfACall & { readonly kind: 'held' | 'resumed' })
  /** The exchange has started again, and both sides of a call whose media has begun have come back. */
  | (OfACall & { readonly kind: 'returned' })
  | EndedEvent;

/** A call ended, with what the exchange observed of its connections at that moment. */
export interface EndedEvent extends OfACall {
  readonly kind: 'ended';
  readonly record: EndRecord;
  readonly lost: LostSide;
  /** The side whose command ended the call; null where the exchange ended it. */
  readonly endedBySide: Side | null;
}

/** A call whose media has begun. */
export interface BegunCall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** Since when, milliseconds since the epoch, and by the monotonic clock of this process. */
  readonly at: number;
  readonly clock: number;
  readonly isHeld: boolean;
  /** Whether both sides have been heard of since the exchange started. */
  readonly isBack: boolean;
}

/** What a host is asked before a call is dialled. */
export interface DialQuestion {
  /** The id that the call will have. */
  readonly callId: string;
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
}

type Kind =
  | { readonly kind: Exclude<CallEvent['kind'], 'ended' | 'not_dialled'> }
  | Pick<EndedEvent, 'kind' | 'record' | 'lost' | 'endedBySide'>;

/** Of the core, what telling needs. */
interface Watched {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Pick<Log, 'error'>;
  readonly callListeners: ReadonlySet<(event: CallEvent) => void>;
}

/** Tells the listeners of a call. One that throws breaks no call. */
export function emitCallEvent(core: Watched, call: Call, what: Kind): void {
  tellAll(core, {
    callId: call.id,
    caller: call.callerUser.user_id,
    callee: call.calleeUser.user_id,
    isVideoCall: call.isVideoCall,
    at: core.clock.now(),
    clock: core.clock.monotonic(),
    ...what,
  });
}

/** Tells the listeners that an allowed call was not dialled. */
export function tellNotDialled(core: Watched, question: DialQuestion): void {
  tellAll(core, { ...question, kind: 'not_dialled', at: core.clock.now(), clock: core.clock.monotonic() });
}

function tellAll(core: Watched, event: CallEvent): void {
  for (const listener of [...core.callListeners]) {
    try {
      listener(event);
    } catch (error) {
      core.log.error('a listener to calls failed', { call: event.callId, error });
    }
  }
}
