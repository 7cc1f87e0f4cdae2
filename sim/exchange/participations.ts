import type { UnendedCall } from '../../src/protocol/messages/replies.ts';
import type { SignalLog } from './delivery/signal-log.ts';
import type { DeviceId } from './directory/sessions.ts';

/** An entry of the reply to `unended_calls`. Entries that only ring come last. */
export interface Unended {
  readonly entry: UnendedCall;
  readonly isRinging: boolean;
}

/**
 * A kind of session in which devices take part, with all its sessions: the direct calls. What connects a device, ends
 * a login or stops the exchange asks each kind, and knows none.
 */
export interface Participations {
  /** Returns whether there is such a session, and it is not over. */
  isLive(id: string): boolean;
  /** Returns whether the user takes part in a session, and is busy for others. */
  isBusy(userId: string): boolean;
  /** Brings a device that connects up to date: it rings, or gets snapshots of its live sessions. */
  welcome(device: DeviceId): void;
  /** Sends devices again that a session is over for them, when it ended a short time ago: a message may be lost. */
  repeatEnds(isMeant: (device: DeviceId) => boolean): void;
  /** Rings a device of an invited user that learned of the session without the channel. */
  reach(id: string, device: DeviceId): void;
  /** Returns the sessions that are not over for this device. */
  unended(device: DeviceId): readonly Unended[];
  /** Returns the kept signals of this device. Null when it has no part in the session. Undefined for an unknown one. */
  signalsOf(id: string, device: DeviceId): SignalLog | null | undefined;
  /** Stores the new login of a device with its sessions, in place of its login at the former exchange. */
  loggedIn(device: DeviceId): void;
  /** Revokes the logins that the user's devices had at the former exchange, also for the next start. */
  revokeFormerLogins(userId: string): void;
  /** Ends the part of a device whose login is over. */
  dropDevice(device: DeviceId): void;
  /** Ends the sessions of a user who is removed. */
  endFor(userId: string): void;
  /** Ends the sessions between two users. */
  endBetween(userId: string, other: string): void;
  /** Ends every session: the exchange stops for good. */
  endAll(): void;
  /** Stops every timer and forgets the sessions, without a message. */
  letGo(): void;
  /**
   * Sends a new relay credential to the devices that can use it.
   *
   * @param id - the session. Undefined: all live ones.
   */
  changeRelay(id: string | undefined): void;
}
