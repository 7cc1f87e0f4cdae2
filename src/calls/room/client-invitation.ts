import type { RoomReply } from '../../protocol/messages/rooms.ts';
import { asCallError } from '../host/call-host.ts';
import { User } from '../host/user.ts';
import type { Room, RoomInvitation } from './room.ts';
import type { RoomRequests } from './room-requests.ts';

type Facts = RoomReply<'invitation_send'>;

/** An invitation that this user sent or received. */
export class ClientInvitation implements RoomInvitation {
  readonly room: Room;
  readonly inviter: User;
  readonly invitee: User;
  readonly #requests: Pick<RoomRequests, 'request'>;
  readonly #over: () => void;

  /** @param over - runs when this client has answered or canceled the invitation. */
  constructor(room: Room, { inviter, invitee }: Facts, requests: Pick<RoomRequests, 'request'>, over: () => void) {
    this.room = room;
    this.inviter = new User(inviter);
    this.invitee = new User(invitee);
    this.#requests = requests;
    this.#over = over;
  }

  accept(): Promise<void> {
    return this.#end('invitation_accept', { room_id: this.room.roomId, inviter_id: this.inviter.userId });
  }

  decline(): Promise<void> {
    return this.#end('invitation_decline', { room_id: this.room.roomId, inviter_id: this.inviter.userId });
  }

  cancel(): Promise<void> {
    return this.#end('invitation_cancel', { room_id: this.room.roomId, invitee_id: this.invitee.userId });
  }

  async #end(...[type, payload]: Parameters<RoomRequests['request']>): Promise<void> {
    try {
      await this.#requests.request(type, payload);
    } catch (error) {
      throw asCallError(error);
    }
    this.#over();
  }
}
