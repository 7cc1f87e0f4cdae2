import type { User } from '../host/user.ts';
import type { MissingDevice } from '../media/local-media.ts';
import type { ParticipantState } from './room-enumerations.ts';

/** A participant of a room: one client of a user (§3). A user with two clients in a room is two participants. */
export interface Participant {
  /** The id of the participant. Each entry has a new one. */
  readonly participantId: string;
  /** The user of the participant. */
  readonly user: User;
  /** Whether the participant has no media yet, has media, or is gone. */
  readonly state: ParticipantState;
  /** When the participant entered. Milliseconds since the epoch. */
  readonly enteredAt: number;
  /** When the participant changed last. Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** When the participant left. Milliseconds since the epoch. Null while the participant is in the room. */
  readonly exitedAt: number | null;
  /** The time in the room, until now or until the exit. Whole seconds, as the exchange counts them (ADR 0027). */
  readonly duration: number;
  /** Whether the microphone of the participant is on. */
  readonly isAudioEnabled: boolean;
  /** Whether the camera or the screen of the participant is on. */
  readonly isVideoEnabled: boolean;
  /** Whether the participant is this client. */
  readonly isLocalParticipant: boolean;
  /**
   * Shows and plays the media of the participant in an element from now on, also before the media exists. The same
   * element again changes nothing. Null removes the media from the element. Never throws.
   */
  setMediaView(element: HTMLMediaElement | null | undefined): Promise<void>;
}

/** Another client in the room. While its view is an audio element, or absent, the exchange sends no picture of it. */
export interface RemoteParticipant extends Participant {}

/**
 * This client in the room. After the exit its functions throw ERR_PARTICIPANT_NOT_IN_ROOM (1800702), except those that
 * set its view.
 */
export interface LocalParticipant extends Participant {
  /** The devices that could not be opened. Silence or a black picture is sent instead (§4). */
  readonly missingDevices: readonly MissingDevice[];
  /** Whether the screen is sent in place of the camera. */
  readonly isScreenShareEnabled: boolean;
  /** Does the same as `setMediaView`. */
  setLocalMediaView(element: HTMLMediaElement | null | undefined): Promise<void>;
  /** Sends silence, and informs the other participants (§4). */
  muteMicrophone(): void;
  /** Sends sound, and informs the other participants. */
  unmuteMicrophone(): void;
  /** Sends the picture, and informs the other participants. Does nothing in an audio room. */
  startVideo(): void;
  /**
   * Sends black, and informs the other participants. Does nothing in an audio room. A shared screen goes on: the other
   * participants are informed at its end.
   */
  stopVideo(): void;
  /**
   * Prompts the user to choose a screen, and sends it in place of the camera (§4).
   *
   * @throws CallError ERR_PARTICIPANT_NOT_IN_ROOM (1800702) after the exit, ERR_SCREEN_SHARE_RESTRICTED_FROM_AUDIO_CALL
   *   (1800620) in an audio room, ERR_SCREEN_SHARE_REQUEST_BEFORE_CALL_IS_CONNECTED (1800621) before the media has
   *   connected, ERR_SCREEN_SHARE_ALREADY_IN_PROGRESS (1800622), ERR_NOT_SUPPORTED_BROWSER_FOR_SCREEN_SHARE (1800625),
   *   or the code of the browser's refusal (1800626 to 1800630).
   */
  startScreenShare(): Promise<void>;
  /**
   * Sends the camera again. The user can also stop the share in the browser (§4).
   *
   * @throws CallError ERR_NO_SCREEN_SHARE_EXISTS (1800623) without a share.
   */
  stopScreenShare(): void;
}
