import type { CallParty } from '../calls/call-state.ts';
import type { MissingDevices, RoomType } from '../library/library-values.ts';
import type { LibraryParticipant, LibraryRoom } from '../library/room-library.ts';

/** The facts of a room, also outside of it. */
export interface RoomFacts {
  /** The id of the room. */
  readonly roomId: string;
  /** The type of the room, which decides its media. */
  readonly type: RoomType;
  /** The texts that the host stores with the room. */
  readonly customItems: Readonly<Record<string, string>>;
  /** The user id of the creator. */
  readonly createdBy: string;
  /** When the room was created. Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The users in the room. */
  readonly people: readonly CallParty[];
}

/** A participant of a room: one client of a user. */
export interface RoomPerson extends CallParty {
  /** The id of the participant. Each entry has a new one. */
  readonly participantId: string;
  /** Whether the participant is this client. */
  readonly isMe: boolean;
  /** Whether the microphone of the participant is on. */
  readonly microphoneOn: boolean;
  /** Whether the camera or the screen of the participant is on. */
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

/** An event in the room that a user wants to know. */
export interface RoomNews {
  /** A number that distinguishes equal events. */
  readonly id: number;
  /** The event. */
  readonly what: 'entered' | 'exited' | 'accepted' | 'declined' | 'reconnected' | 'shareFailed' | 'deleteFailed';
  /** The user of the event. Null for an event of this user. */
  readonly party: CallParty | null;
}

/** One visit of a room. */
export interface VisitState {
  /** The stage of the visit. */
  readonly stage: VisitStage;
  /** The facts of the room. Null until they are loaded. */
  readonly facts: RoomFacts | null;
  /** This client, then the others in the order of their entry. Empty outside of the room. */
  readonly people: readonly RoomPerson[];
  /** Whether the microphone of this client is on. */
  readonly microphoneOn: boolean;
  /** Whether the camera of this client is on. */
  readonly cameraOn: boolean;
  /** Whether this client shares the screen. */
  readonly sharingScreen: boolean;
  /** The devices of this client that are unavailable. */
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
    customItems: room.customItems,
    createdBy: room.createdBy,
    createdAt: room.createdAt,
    people: room.participants.map(({ user }) => partyOf(user)),
  };
}

/** Returns the state of a participant of the library. */
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

/** Returns the fields of a user. */
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
