import type { User } from '../host/user.ts';
import type { Room } from './room.ts';

/** An invitation of a user into a room (§3). Its promises reject with the code of the exchange when it refuses. */
export interface RoomInvitation {
  readonly room: Room;
  readonly inviter: User;
  readonly invitee: User;
  /** Accepts the invitation, as the invitee. `room.enter` enters afterwards. */
  accept(): Promise<void>;
  /** Declines the invitation, as the invitee. */
  decline(): Promise<void>;
  /** Cancels the invitation, as the inviter. */
  cancel(): Promise<void>;
}
