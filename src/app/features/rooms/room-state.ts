import type { RoomType } from '../../../protocol/room-entities.ts';
import type { LibraryParticipant, LibraryRoom } from '../calling/library/room-library.ts';
import type { CallParty, MissingDevices } from '../calling/call-state.ts';

/** The custom item of a room that holds its name. The library stores custom items, and the exchange ignores them. */
export const ROOM_NAME_ITEM = 'name';
/** The most characters of a name. */
export const ROOM_NAME_CHARACTERS = 40;

/**
 * The most participants of a room by its type. Rooms do not report it. An import of the limits of the protocol would
 * move them out of the chunk of the library.
 */
export const CAPACITY: Readonly<Record<RoomType, number>> = {
  small_room_for_video: 6,
  small_room_for_audio_only: 6,
  large_room_for_video: 100,
  large_room_for_audio_only: 100,
};

/** The facts of a room, also outside of it. */
export interface RoomFacts {
  readonly roomId: string;
  readonly type: RoomType;
  /** Empty without a name. */
  readonly name: string;
  /** The user id of the creator. */
  readonly createdBy: string;
  readonly createdAt: number;
  /** The users in the room. */
  readonly people: readonly CallParty[];
  /** The most participants of rooms of this type. */
  readonly capacity: number;
}

/** A participant as the app shows it. */
export interface RoomPerson extends CallParty {
  readonly participantId: string;
  readonly isMe: boolean;
  readonly microphoneOn: boolean;
  readonly cameraOn: boolean;
  /** Whether the media of the participant is connected. */
  readonly isConnected: boolean;
}

/** The reason why the stay in a room ended. */
export type EndOfStay = 'left' | 'kicked' | 'lost' | 'deleted';
/** The reason why the room was not entered. */
export type EntryRefusal = 'full' | 'alreadyInside' | 'failed';

/** The stage of a visit, from the address of the room to the end of the stay. */
export type VisitStage =
  | { readonly name: 'loading' }
  | { readonly name: 'failed' }
  /** The room does not exist, or was deleted. */
  | { readonly name: 'missing' }
  | { readonly name: 'lobby'; readonly refusal: EntryRefusal | null }
  | { readonly name: 'entering' }
  | { readonly name: 'inside'; readonly since: number; readonly isReconnecting: boolean }
  | { readonly name: 'over'; readonly reason: EndOfStay; readonly durationMs: number };

/** An event in the room that the app announces. The id distinguishes equal events. */
export interface RoomNews {
  readonly id: number;
  readonly what: 'entered' | 'exited' | 'accepted' | 'declined' | 'reconnected' | 'shareFailed' | 'deleteFailed';
  readonly party: CallParty | null;
}

/** One visit of a room. */
export interface VisitState {
  readonly stage: VisitStage;
  /** Null until they are loaded. */
  readonly facts: RoomFacts | null;
  /** This client, then the others in the order of their entry. Empty outside of the room. */
  readonly people: readonly RoomPerson[];
  readonly microphoneOn: boolean;
  readonly cameraOn: boolean;
  readonly sharingScreen: boolean;
  readonly missing: MissingDevices;
  /** The actions in progress. Another press during them has no effect. */
  readonly busy: readonly ('share' | 'delete')[];
  /** The last event. Null before the first one. */
  readonly news: RoomNews | null;
}

/** Returns the facts of a room of the library. */
export function factsOf(room: LibraryRoom): RoomFacts {
  return {
    roomId: room.roomId,
    type: room.roomType,
    name: (room.customItems[ROOM_NAME_ITEM] ?? '').slice(0, ROOM_NAME_CHARACTERS),
    createdBy: room.createdBy,
    createdAt: room.createdAt,
    people: room.participants.map(({ user }) => partyOf(user)),
    capacity: CAPACITY[room.roomType],
  };
}

/** Returns a participant of the library as the app shows it. */
export function personOf(participant: LibraryParticipant, isMe: boolean): RoomPerson {
  return {
    ...partyOf(participant.user),
    participantId: participant.participantId,
    isMe,
    microphoneOn: participant.isAudioEnabled,
    cameraOn: participant.isVideoEnabled,
    isConnected: participant.state === 'connected',
  };
}

export function partyOf({ userId, nickname, profileUrl }: CallParty): CallParty {
  return { userId, nickname, profileUrl };
}

/** Returns the state with one more event. */
export function withNews(now: VisitState, what: RoomNews['what'], party: CallParty | null = null): VisitState {
  return { ...now, news: { id: (now.news?.id ?? 0) + 1, what, party: party && partyOf(party) } };
}

/** Returns whether the participants of a room of this type see each other. */
export const hasVideo = (type: RoomType): boolean => type.endsWith('_for_video');
/** Returns whether the participants hear one mix, and not each other. */
export const hasMix = (type: RoomType): boolean => type.startsWith('large_');
/** Returns whether the user is in the room, or is entering it. */
export const isStay = ({ name }: VisitStage): boolean => name === 'entering' || name === 'inside';
