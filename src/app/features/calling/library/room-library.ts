import type { RoomType } from '../../../../protocol/room-entities.ts';
import type { LibraryMissingDevice, LibraryUser } from './library-values.ts';

/** A participant of a room: one client of a user. */
export interface LibraryParticipant {
  readonly participantId: string;
  readonly user: LibraryUser;
  /** `entered` without media, `connected` with media, `exited` at the end. */
  readonly state: 'entered' | 'connected' | 'exited';
  /** Milliseconds since the epoch. */
  readonly enteredAt: number;
  readonly isAudioEnabled: boolean;
  readonly isVideoEnabled: boolean;
  /** Plays the media of the participant in an element. Null removes it from the element. Never throws. */
  setMediaView(element: HTMLMediaElement | null): Promise<void>;
}

/** This client in a room. */
export interface LibraryLocalParticipant extends LibraryParticipant {
  readonly missingDevices: readonly LibraryMissingDevice[];
  readonly isScreenShareEnabled: boolean;
  muteMicrophone(): void;
  unmuteMicrophone(): void;
  startVideo(): void;
  stopVideo(): void;
  startScreenShare(): Promise<void>;
  stopScreenShare(): void;
}

/** The events of a room that the app follows. */
export type LibraryRoomEvent =
  | 'remoteParticipantEntered'
  | 'remoteParticipantExited'
  | 'remoteParticipantStreamStarted'
  | 'remoteAudioSettingsChanged'
  | 'remoteVideoSettingsChanged'
  | 'localParticipantDisconnected'
  | 'localParticipantReconnected'
  | 'localScreenShareStopped'
  | 'localMissingDevicesChanged'
  | 'customItemsUpdated'
  | 'customItemsDeleted'
  | 'deleted'
  | 'invitationAccepted'
  | 'invitationDeclined'
  | 'invitationCanceled'
  | 'error';

/** A listener of any event. As a method, it may state the arguments of its own event. */
export type LibraryRoomListener = { on(...args: unknown[]): void }['on'];

/** A room, and the stay of this client in it. */
export interface LibraryRoom {
  readonly roomId: string;
  readonly roomType: RoomType;
  readonly state: 'open' | 'deleted';
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly createdBy: string;
  readonly customItems: Readonly<Record<string, string>>;
  readonly participants: readonly LibraryParticipant[];
  readonly localParticipant: LibraryLocalParticipant | undefined;
  readonly remoteParticipants: readonly LibraryParticipant[];
  enter(params: { audioEnabled: boolean; videoEnabled: boolean }): Promise<void>;
  exit(): void;
  setAudioForLargeRoom(element: HTMLAudioElement | null): void;
  updateCustomItems(customItems: Record<string, string>): Promise<unknown>;
  sendInvitation(invitee: string): Promise<LibraryInvitation>;
  delete(): Promise<void>;
  on(event: LibraryRoomEvent, listener: LibraryRoomListener): unknown;
  off(event: LibraryRoomEvent, listener: LibraryRoomListener): unknown;
}

/** An invitation of a user into a room. */
export interface LibraryInvitation {
  readonly room: LibraryRoom;
  readonly inviter: LibraryUser;
  readonly invitee: LibraryUser;
  accept(): Promise<void>;
  decline(): Promise<void>;
  cancel(): Promise<void>;
}

/** The filters and the page size of a list of rooms. */
export interface LibraryRoomQuery {
  type?: RoomType | 'all';
  limit?: number;
  state?: 'open' | 'deleted';
  createdByUserIds?: readonly string[];
  currentParticipantCount?: readonly [number | undefined, number | undefined];
}

/** A list of rooms, newest first, that is read page by page. */
export interface LibraryRoomList {
  readonly hasNext: boolean;
  next(): Promise<readonly LibraryRoom[]>;
}

/** The functions of the library about rooms. The first one loads the code of rooms. */
export interface RoomLibrary {
  createRoom(params: { roomType: RoomType; customItems?: Record<string, string> }): Promise<LibraryRoom>;
  fetchRoomById(roomId: string): Promise<LibraryRoom>;
  createRoomListQuery(params: LibraryRoomQuery): LibraryRoomList;
}
