import type { EndResult } from '../../protocol/enumerations.ts';
import type { CustomItems } from '../host/custom-items.ts';
import type { User } from '../host/user.ts';
import type { DirectCallUser, DirectCallUserRole } from './call-identity.ts';

/** The results of a call, in the upper-case names that hosts use (D14). */
export const DirectCallEndResult = Object.freeze({
  NO_ANSWER: 'NO_ANSWER',
  CANCELED: 'CANCELED',
  DECLINED: 'DECLINED',
  COMPLETED: 'COMPLETED',
  TIMED_OUT: 'TIMED_OUT',
  CONNECTION_LOST: 'CONNECTION_LOST',
  DIAL_FAILED: 'DIAL_FAILED',
  ACCEPT_FAILED: 'ACCEPT_FAILED',
  OTHER_DEVICE_ACCEPTED: 'OTHER_DEVICE_ACCEPTED',
  NOT_CONNECTED: 'NOT_CONNECTED',
  UNKNOWN: 'UNKNOWN',
});
export type DirectCallEndResult = keyof typeof DirectCallEndResult;

/** Returns the public name of a result on the wire. */
export function endResultName(result: EndResult): DirectCallEndResult {
  const wanted = result.toUpperCase();
  return Object.values(DirectCallEndResult).find((name) => name === wanted) ?? 'UNKNOWN';
}

/**
 * The record of a call (§3, ended call record). Times are milliseconds since the epoch. It is a class, so that hosts
 * that freeze plain objects do not freeze it.
 */
export class DirectCallLog {
  /** The id of the call. */
  declare readonly callId: string;
  /** True for a video call, false for a voice call. */
  declare readonly isVideoCall: boolean;
  /** The custom items of the call (D24). */
  declare readonly customItems: CustomItems;
  /** The role of the user of this client. */
  declare readonly userRole: DirectCallUserRole;
  /** The user who dialled. */
  declare readonly caller: DirectCallUser;
  /** The user who was dialled. */
  declare readonly callee: DirectCallUser;
  /** The caller and the callee. */
  declare readonly participants: readonly DirectCallUser[];
  /**
   * The time at which both users were connected. Before that, the time of the dial, or of the ring at the callee.
   *
   * The history of the exchange has the time of the dial when the call never connected.
   */
  declare readonly startedAt: number;
  /** The time of the end. Null before the end. */
  declare readonly endedAt: number | null;
  /** The user who ended the call. Null before the end, and when no user ended it. */
  declare readonly endedBy: User | null;
  /** How long both users were connected, in milliseconds. */
  declare readonly duration: number;
  /** How the call ended. Undefined before the end. */
  declare readonly endResult: DirectCallEndResult | undefined;
  /** The kind of call. Always `direct`. */
  declare readonly callType: 'direct';
  /** True for a record from the history of the exchange, false for the record of a call on this client. */
  declare readonly isFromServer: boolean;

  /** @internal */
  constructor(facts: Omit<DirectCallLog, 'callType' | 'participants'>) {
    Object.assign(this, { callType: 'direct', participants: [facts.caller, facts.callee] }, facts);
  }
}
