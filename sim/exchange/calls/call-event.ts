import { isBack, isHeld, type Call, type EndRecord } from './call.ts';
import type { LostSide } from './lost-side.ts';
import type { Side } from './outcomes.ts';
import type { Clock } from '../../../src/common/clock.ts';

interface OfACall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The same moment by the monotonic clock, which measures durations. Milliseconds. */
  readonly clock: number;
}

/** An event of a call, which the exchange emits to its host. */
export type CallEvent =
  /** A call that the host allowed was not dialled. It had no effect and is not in the history. */
  | (OfACall & { readonly kind: 'not_dialled' })
  /** A call was dialled. It rings on the connected devices of the callee. */
  | (OfACall & { readonly kind: 'ringing' })
  /** A device of the callee accepted. */
  | (OfACall & { readonly kind: 'accepted' })
  /** Media has begun as the exchange observed it: one side reports it, both do, or the exchange presumes it. */
  | (OfACall & { readonly kind: 'begun' })
  /** Both sides report that they have media. */
  | (OfACall & { readonly kind: 'connected' })
  /** The first side puts a call with media on hold, or the last side resumes it. */
  | (OfACall & { readonly kind: 'held' | 'resumed' })
  /** The exchange has restarted, and both sides of a call with media have reconnected. */
  | (OfACall & { readonly kind: 'returned' })
  | EndedEvent;

/** A call ended, with the state of its connections at that moment. */
export interface EndedEvent extends OfACall {
  readonly kind: 'ended';
  readonly record: EndRecord;
  readonly lost: LostSide;
  /** The side whose command ended the call. Null when the exchange ended it. */
  readonly endedBySide: Side | null;
}

/** A call whose media has begun. */
export interface BegunCall {
  readonly callId: string;
  /** User ids. */
  readonly caller: string;
  readonly callee: string;
  readonly isVideoCall: boolean;
  /** When media began: milliseconds since the epoch, and by the monotonic clock of this process. */
  readonly at: number;
  readonly clock: number;
  readonly isHeld: boolean;
  /** True when both sides have sent something since the exchange started. */
  readonly isBack: boolean;
}

/** Returns a call with media. Null before its media has begun. */
export function begunCallOf(call: Call): BegunCall | null {
  const { id, begunAt, callerUser, calleeUser, isVideoCall } = call;
  if (begunAt === null) return null;
  const [caller, callee] = [callerUser.user_id, calleeUser.user_id];
  return { callId: id, caller, callee, isVideoCall, ...begunAt, isHeld: isHeld(call), isBack: isBack(call) };
}

/** A question to the host before a call is dialled. */
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

/** The parts of the core that emitting needs. */
interface Watched {
  readonly clock: Pick<Clock, 'wallTime' | 'now'>;
  readonly events: { emit(event: CallEvent): void };
}

/** Emits an event of a call to the listeners. */
export function emitCallEvent(core: Watched, call: Call, what: Kind): void {
  core.events.emit({
    callId: call.id,
    caller: call.callerUser.user_id,
    callee: call.calleeUser.user_id,
    isVideoCall: call.isVideoCall,
    at: core.clock.wallTime(),
    clock: core.clock.now(),
    ...what,
  });
}

/** Emits to the listeners that an allowed call was not dialled. */
export function emitNotDialled(core: Watched, question: DialQuestion): void {
  core.events.emit({ ...question, kind: 'not_dialled', at: core.clock.wallTime(), clock: core.clock.now() });
}
