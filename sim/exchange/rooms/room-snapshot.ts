import type { ParticipantState } from '../../../src/protocol/room-entities.ts';
import type { Room } from './room.ts';

/** A room as it is now, for tools that observe the exchange. */
export interface RoomSnapshot {
  readonly roomId: string;
  /** The participants in the order of their entry. */
  readonly participants: readonly {
    readonly participantId: string;
    readonly userId: string;
    readonly state: ParticipantState;
    /** The number of its media endpoints. */
    readonly endpoints: number;
  }[];
  /** The number of the invitations without an answer. */
  readonly invitations: number;
}

/** Returns a room as it is now. */
export const roomSnapshot = ({ id, members, invitations }: Room): RoomSnapshot => ({
  roomId: id,
  participants: [...members.values()].map((member) => ({
    participantId: member.id,
    userId: member.device.userId,
    state: member.state,
    endpoints: member.endpoints.size,
  })),
  invitations: invitations.size,
});
