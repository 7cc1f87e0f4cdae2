import type { RoomEventFrame } from '../../protocol/envelope.ts';
import type { RoomReply } from '../../protocol/messages/rooms.ts';
import type { RoomPayload } from '../../protocol/room-entities.ts';
import type { Logger } from '../logging/log.ts';
import { ClientInvitation } from './client-invitation.ts';
import type { ClientRoom } from './client-room.ts';
import type { RoomRequests } from './room-requests.ts';
import type { RoomInvitation } from './room.ts';

/** The most invitations without an answer that a client remembers. The exchange keeps as many of one inviter. */
const PENDING = 100;

type Facts = RoomReply<'invitation_send'>;
export type InvitationEvent = Extract<RoomEventFrame, { readonly type: `invitation_${string}` }>;

export interface InvitationsDeps {
  readonly requests: Pick<RoomRequests, 'request' | 'received'>;
  readonly log: Logger;
  /** Returns the room of an invitation, which it adds when it is unknown. */
  readonly addRoom: (room: RoomPayload) => ClientRoom;
  /** Returns a known room. */
  readonly room: (roomId: string) => ClientRoom | undefined;
  /** Reports a new invitation to the host. */
  readonly invited: (invitation: RoomInvitation) => void;
}

const EVENT_OF = {
  invitation_accepted: 'invitationAccepted',
  invitation_declined: 'invitationDeclined',
  invitation_canceled: 'invitationCanceled',
} as const;

/** The invitations that this user has sent or received, and that have no answer (§3). */
export class Invitations {
  readonly #deps: InvitationsDeps;
  readonly #pending = new Map<string, ClientInvitation>();

  constructor(deps: InvitationsDeps) {
    this.#deps = deps;
  }

  /** Returns the invitation of an answer of the exchange: one object until it is answered. */
  of(facts: Facts): ClientInvitation {
    return this.#find(facts, this.#deps.addRoom(facts.room));
  }

  receive(event: InvitationEvent): void {
    if (event.type === 'invitation_sent') return this.#received(event);
    const room = this.#deps.room(event.payload.room.room_id);
    // An event of an unknown room is ignored (RM-24).
    if (!room || event.type === 'invitation_received') return;
    const invitation = this.#find(event.payload, room);
    this.#pending.delete(keyOf(event.payload));
    room.invitation(EVENT_OF[event.type], invitation);
  }

  #received({ payload, delivery_info }: Extract<InvitationEvent, { readonly type: 'invitation_sent' }>): void {
    const { room, inviter, short_lived_token } = payload;
    const isKnown = this.#pending.has(keyOf(payload));
    const report = this.#deps.requests.received(
      { room_id: room.room_id, inviter_id: inviter.user_id },
      short_lived_token,
    );
    report.catch((error: unknown) => this.#deps.log.debug('invitation_receive was not taken', { error }));
    const invitation = this.of(payload);
    // The exchange repeats the pending invitations of a user to a device that connects.
    if (!isKnown || delivery_info.channel !== 'missed_signal') this.#deps.invited(invitation);
  }

  #find(facts: Facts, room: ClientRoom): ClientInvitation {
    const key = keyOf(facts);
    const known = this.#pending.get(key);
    if (known) return known;
    const made = new ClientInvitation(room, facts, this.#deps.requests, () => this.#pending.delete(key));
    this.#pending.set(key, made);
    if (this.#pending.size > PENDING)
      for (const [oldest] of [...this.#pending].slice(0, 1)) this.#pending.delete(oldest);
    return made;
  }
}

const keyOf = ({ room, inviter, invitee }: Facts): string =>
  JSON.stringify([room.room_id, inviter.user_id, invitee.user_id]);
