import type { CallError } from '../../protocol/errors.ts';
import type { CustomItems, CustomItemsResult } from '../host/custom-items.ts';
import type { LocalParticipant, Participant, RemoteParticipant } from './participant.ts';
import type { RoomState, RoomType } from './room-enumerations.ts';
import type { User } from '../host/user.ts';

/** The room to create. */
export interface RoomParams {
  /** The type of the room. */
  roomType: RoomType;
  /** The texts that the app stores with the room. Default: none. */
  customItems?: CustomItems | undefined;
}

/** How this client enters a room. */
export interface EnterParams {
  /** True sends sound from the start. Default: true. */
  audioEnabled?: boolean | undefined;
  /** True sends the picture from the start. Default: true. */
  videoEnabled?: boolean | undefined;
  /** True removes the other clients of the user from the room (§6). Default: false. */
  kickSiblings?: boolean | undefined;
}

/** The events of a room, with the arguments of their listeners. A participant already has its new state. */
export interface RoomEventMap {
  /** Another client entered. */
  remoteParticipantEntered: [participant: RemoteParticipant];
  /** Another client left, or was removed. */
  remoteParticipantExited: [participant: RemoteParticipant];
  /** The media of the participant arrived, for the first time or over a new connection. */
  remoteParticipantStreamStarted: [participant: RemoteParticipant];
  /** Another client muted its microphone, or turned it on. */
  remoteAudioSettingsChanged: [participant: RemoteParticipant];
  /** Another client stopped its picture, or started it. */
  remoteVideoSettingsChanged: [participant: RemoteParticipant];
  /** The media of this client was lost. It connects again. */
  localParticipantDisconnected: [participant: LocalParticipant];
  /** The media of this client is connected again. */
  localParticipantReconnected: [participant: LocalParticipant];
  /** The share of the screen ended, by this client or by the browser. */
  localScreenShareStopped: [participant: LocalParticipant];
  /** The list of missing devices of this client changed. */
  localMissingDevicesChanged: [participant: LocalParticipant];
  /** A user or a server added or changed custom items. Gets all items, and the keys of these. */
  customItemsUpdated: [customItems: CustomItems, affectedKeys: string[]];
  /** A user or a server deleted custom items. Gets the remaining items, and the keys of these. */
  customItemsDeleted: [customItems: CustomItems, affectedKeys: string[]];
  /** A participant deleted the room. The session has ended. */
  deleted: [];
  /** The invitee accepted an invitation of this user, or this user accepted it on another client. */
  invitationAccepted: [invitation: RoomInvitation];
  /** The invitee declined an invitation of this user, or this user declined it on another client. */
  invitationDeclined: [invitation: RoomInvitation];
  /** The inviter canceled the invitation of this user. */
  invitationCanceled: [invitation: RoomInvitation];
  /**
   * The session ended, or media cannot be sent or received. ERR_LOCAL_PARTICIPANT_LOST_CONNECTION (1800706) and
   * ERR_LOCAL_PARTICIPANT_KICKED_OUT (1800707) end the session. ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_SEND_STREAM
   * (1800704) is about this client, and ERR_FAILED_TO_ESTABLISH_CONNECTION_TO_RECEIVE_STREAM (1800705) about the
   * participant. Both connections are tried again.
   */
  error: [error: CallError, participant?: Participant];
}

/** A listener of an event of a room. */
export type RoomListener<T extends keyof RoomEventMap> = (...args: RoomEventMap[T]) => void;

/**
 * A room, and the session of this client in it (§3, §4). One object for each room id: a later read of the room updates
 * it.
 */
export interface Room {
  /** The id of the room. */
  readonly roomId: string;
  /** The type of the room, which decides its media. */
  readonly roomType: RoomType;
  /** Whether the room is open or deleted. */
  readonly state: RoomState;
  /** When the room was created. Milliseconds since the epoch. */
  readonly createdAt: number;
  /** The id of the user who created the room. */
  readonly createdBy: string;
  /** The texts that the app stores with the room. A copy. */
  readonly customItems: CustomItems;
  /** The participants in the order of their entry. A copy. Outside the room: those of the last read. */
  readonly participants: Participant[];
  /** This client. Undefined outside the room. */
  readonly localParticipant: LocalParticipant | undefined;
  /** The other participants in the order of their entry. A copy. */
  readonly remoteParticipants: RemoteParticipant[];
  /**
   * Enters the room (§4). Resolves when `localParticipant` and `remoteParticipants` are set. The media connects
   * afterwards.
   *
   * @throws CallError ERR_PARTICIPANT_ALREADY_IN_ROOM (1800700) when this client is in the room,
   *   ERR_ENTERING_ROOM_STILL_IN_PROGRESS (1800701) while it enters, ERR_ROOM_DELETED (1400126),
   *   ERR_ROOM_MAX_PARTICIPANTS (1400120) for a full room, INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names, USER_NOT_AUTHENTICATED (1800303) after the user has signed out, ERR_REQUEST_FAILED (1800200) when the request
   *   fails, the code of the exchange when it refuses.
   */
  enter(params?: EnterParams | null): Promise<void>;
  /**
   * Leaves the room at once: `localParticipant` is undefined on the next line, and the devices are closed.
   *
   * @throws CallError ERR_PARTICIPANT_NOT_IN_ROOM (1800702) outside the room, ERR_EXITING_ROOM_STILL_IN_PROGRESS
   *   (1800703) while the exit of this client is reported.
   */
  exit(): void;
  /**
   * Plays the sound of a large audio room in an element, also before this client enters (§5). Null plays it nowhere.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) for another type of room.
   */
  setAudioForLargeRoom(element: HTMLAudioElement | null | undefined): void;
  /**
   * Sets custom items, and keeps the others (D24).
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `customItems`, the code
   *   of the exchange when it refuses.
   */
  updateCustomItems(customItems: CustomItems): Promise<CustomItemsResult>;
  /** Deletes custom items by their keys (D24). Rejects as {@link updateCustomItems} does. */
  deleteCustomItems(keys: string[]): Promise<CustomItemsResult>;
  /** Deletes all custom items. */
  deleteAllCustomItems(): Promise<CustomItemsResult>;
  /** Reads the custom items of the exchange again. */
  fetchCustomItems(): Promise<CustomItems>;
  /**
   * Invites a user into the room (§6).
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `invitee`, the code of
   *   the exchange when it refuses.
   */
  sendInvitation(invitee: string): Promise<RoomInvitation>;
  /**
   * Deletes the room for all participants (D20).
   *
   * @throws CallError ERR_PARTICIPANT_NOT_IN_ROOM (1800702) outside the room, ERR_ROOM_DELETED (1400126), the code of
   *   the exchange when it refuses.
   */
  delete(): Promise<void>;
  /** Adds a listener. Listeners run in the order in which they were added. The same listener again is added again. */
  on<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this;
  /** Adds a listener that runs once. */
  once<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this;
  /** Removes a listener, the last added first. */
  off<T extends keyof RoomEventMap>(event: T, listener: RoomListener<T>): this;
  /** Removes the listeners of an event. Without an event: all listeners. */
  removeAllListeners(event?: keyof RoomEventMap): this;
}

/** An invitation of a user into a room (§3). Its promises reject with the code of the exchange when it refuses. */
export interface RoomInvitation {
  /** The room to enter. */
  readonly room: Room;
  /** The user who sent the invitation. */
  readonly inviter: User;
  /** The user who is invited. */
  readonly invitee: User;
  /** Accepts the invitation, as the invitee. `room.enter` enters afterwards. */
  accept(): Promise<void>;
  /** Declines the invitation, as the invitee. */
  decline(): Promise<void>;
  /** Cancels the invitation, as the inviter. */
  cancel(): Promise<void>;
}
