import type { LibraryMissingDevice, LibraryUser, RoomType } from './library-values.ts';

/** A participant of a room: one client of a user. */
export interface LibraryParticipant {
  /** The id of the participant. Each entry has a new one. */
  readonly participantId: string;
  /** The user of the participant. */
  readonly user: LibraryUser;
  /** `entered` without media, `connected` with media, `exited` at the end. */
  readonly state: 'entered' | 'connected' | 'exited';
  /** Milliseconds since the epoch. */
  readonly enteredAt: number;
  /** True while the microphone is on. */
  readonly isAudioEnabled: boolean;
  /** True while the camera or the screen is on. */
  readonly isVideoEnabled: boolean;
  /** Plays the media of the participant in an element. Null removes it from the element. Never throws. */
  setMediaView(element: HTMLMediaElement | null): Promise<void>;
}

/** This client in a room. */
export interface LibraryLocalParticipant extends LibraryParticipant {
  /** The devices that could not be opened. */
  readonly missingDevices: readonly LibraryMissingDevice[];
  /** True while the screen is sent. */
  readonly isScreenShareEnabled: boolean;
  /** Sends silence. */
  muteMicrophone(): void;
  /** Sends the microphone. */
  unmuteMicrophone(): void;
  /** Sends the picture. */
  startVideo(): void;
  /** Sends a black picture. */
  stopVideo(): void;
  /** Prompts the user for a screen, and sends it. */
  startScreenShare(): Promise<void>;
  /** Sends the camera again. */
  stopScreenShare(): void;
}

/** The events of a room that the binding follows. */
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
  /** The id of the room. */
  readonly roomId: string;
  /** The type of the room. */
  readonly roomType: RoomType;
  /** Whether the room is open or deleted. */
  readonly state: 'open' | 'deleted';
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The id of the user who created the room. */
  readonly createdBy: string;
  /** The texts that the host stores with the room. */
  readonly customItems: Readonly<Record<string, string>>;
  /** The participants in the order of their entry. */
  readonly participants: readonly LibraryParticipant[];
  /** This client. Undefined outside the room. */
  readonly localParticipant: LibraryLocalParticipant | undefined;
  /** The other participants. */
  readonly remoteParticipants: readonly LibraryParticipant[];
  /** Enters the room. */
  enter(params: { audioEnabled: boolean; videoEnabled: boolean }): Promise<void>;
  /** Leaves the room. */
  exit(): void;
  /** Plays the mix of a large room. Null plays it nowhere. */
  setAudioForLargeRoom(element: HTMLAudioElement | null): void;
  /** Sets custom items, and keeps the others. */
  updateCustomItems(customItems: Record<string, string>): Promise<unknown>;
  /** Invites a user. */
  sendInvitation(invitee: string): Promise<LibraryInvitation>;
  /** Deletes the room for all participants. */
  delete(): Promise<void>;
  /** Adds a listener. */
  on(event: LibraryRoomEvent, listener: LibraryRoomListener): unknown;
  /** Removes a listener. */
  off(event: LibraryRoomEvent, listener: LibraryRoomListener): unknown;
}

/** An invitation of a user into a room. */
export interface LibraryInvitation {
  /** The room to enter. */
  readonly room: LibraryRoom;
  /** The user who sent the invitation. */
  readonly inviter: LibraryUser;
  /** The user who is invited. */
  readonly invitee: LibraryUser;
  /** Accepts the invitation. */
  accept(): Promise<void>;
  /** Declines the invitation. */
  decline(): Promise<void>;
  /** Cancels the invitation, as the inviter. */
  cancel(): Promise<void>;
}

/** The filters and the page size of a list of rooms. */
export interface LibraryRoomQuery {
  /** The type of the rooms. Default: all. */
  type?: RoomType | 'all';
  /** The most rooms of a page. */
  limit?: number;
  /** The state of the rooms. */
  state?: 'open' | 'deleted';
  /** The creators of the rooms. */
  createdByUserIds?: readonly string[];
  /** The least and the most participants. */
  currentParticipantCount?: readonly [number | undefined, number | undefined];
}

/** A list of rooms, newest first, that is read page by page. */
export interface LibraryRoomList {
  /** True while there is another page. */
  readonly hasNext: boolean;
  /** Reads the next page. */
  next(): Promise<readonly LibraryRoom[]>;
}

/** The functions of the library about rooms. The first one loads the code of rooms. */
export interface RoomLibrary {
  /** Creates a room. */
  createRoom(params: { roomType: RoomType; customItems?: Record<string, string> }): Promise<LibraryRoom>;
  /** Reads a room. */
  fetchRoomById(roomId: string): Promise<LibraryRoom>;
  /** Creates a list of rooms. */
  createRoomListQuery(params: LibraryRoomQuery): LibraryRoomList;
}
