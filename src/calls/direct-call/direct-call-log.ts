import type { EndResult } from '../../protocol/enumerations.ts';
import type { CustomItems } from '../client/custom-items.ts';
import type { DirectCallUser, DirectCallUserRole, User } from '../client/user.ts';

/** How a call ended, as hosts read it: the enumeration's names are upper case (D14). */
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

/** The public name of a result on the wire. */
export function endResultName(result: EndResult): DirectCallEndResult {
  const wanted = result.toUpperCase();
  return Object.values(DirectCallEndResult).find((name) => name === wanted) ?? 'UNKNOWN';
}

/**
 * The record of a call (§3, ended call record). Times are milliseconds since the epoch, the duration milliseconds. A class,
 * so that hosts which freeze plain objects leave it alone.
 */
export class DirectCallLog {
  declare readonly callId: string;
  declare readonly isVideoCall: boolean;
  declare readonly customItems: CustomItems;
  /** Which side the user of this client was. */
  declare readonly userRole: DirectCallUserRole;
  declare readonly caller: DirectCallUser;
  declare readonly callee: DirectCallUser;
  /** Caller and callee. */
  declare readonly participants: readonly DirectCallUser[];
  /**
   * When both sides were connected; before that, and of a call that never was, when it was dialled, or rang at the callee.
   * The history of the exchange has the time of dialling for both.
   */
  declare readonly startedAt: number;
  /** Null while the call lives. */
  declare readonly endedAt: number | null;
  /** Null while the call lives, and where nobody ended it. */
  declare readonly endedBy: User | null;
  /** How long both sides were connected. */
  declare readonly duration: number;
  /** Undefined while the call lives. */
  declare readonly endResult: DirectCallEndResult | undefined;
  declare readonly callType: 'direct';
  /** From the history the exchange keeps; false for the record of a call here. */
  declare readonly isFromServer: boolean;

  /** @internal */
  constructor(facts: Omit<DirectCallLog, 'callType' | 'participants'>) {
    Object.assign(this, { callType: 'direct', participants: [facts.caller, facts.callee] }, facts);
  }
}
