/** The media of one stay of this client in a room: what the session of the room needs of it, and what it reports. */
import type { CallError } from '../../protocol/errors.ts';
import type { RoomType } from '../../protocol/room-entities.ts';
import type { MissingDevice } from '../media/local-media.ts';
import type { MediaElement } from '../platform/media-element.ts';
import type { RoomCommandPayload, RoomReply } from '../../protocol/messages/rooms.ts';

type OfEndpoint =
  | 'endpoint_create'
  | 'endpoint_put'
  | 'endpoint_release'
  | 'endpoint_attach'
  | 'endpoint_detach'
  | 'endpoint_connected';
/** The part of a command that the media knows. The room and the participant are those of the stay. */
type EndpointFields<T extends OfEndpoint> = Omit<RoomCommandPayload<T>, 'room_id' | 'participant_id'>;

/** The requests of one participant about its endpoints. Each rejects with a CallError, after at most 60 seconds (§9). */
export interface EndpointRequests {
  request<T extends OfEndpoint>(type: T, fields: EndpointFields<T>): Promise<RoomReply<T>>;
}

/** A remote participant, as far as its media is concerned. */
export interface MediaSource {
  readonly participantId: string;
  /** True when its master endpoint is connected, so that a viewer can be attached. */
  readonly isConnected: boolean;
}

/** The reports of the media of a stay. */
export interface ParticipationMediaEvents {
  /** The media of a remote participant arrived, for the first time or over a new connection. */
  streamStarted(participantId: string): void;
  /** The master endpoint lost its connection after it had been connected. */
  disconnected(): void;
  /** The master endpoint is connected again (EP-14). */
  reconnected(): void;
  missingChanged(): void;
  screenShareStopped(): void;
  /** The picture that this client sends went on or off because of a shared screen. */
  videoSent(isOn: boolean): void;
  /** The page is visible again. The realtime channel is to be replaced: its socket may have died meanwhile (RM-30). */
  pageReturned(): void;
  /** The user leaves the page for good. */
  pageLeft(): void;
  /**
   * An endpoint cannot connect: that of this client, or the one that receives a participant. It keeps trying, and
   * reports this once until it has connected.
   */
  failed(error: CallError, participantId?: string): void;
}

/** What a stay begins with. */
export interface ParticipationMediaStart {
  readonly roomType: RoomType;
  readonly audioEnabled: boolean;
  readonly videoEnabled: boolean;
  readonly requests: EndpointRequests;
  readonly events: ParticipationMediaEvents;
  /** The views that the host set before. They are kept by the room, which outlives a stay. */
  readonly views: {
    readonly local: MediaElement | null;
    readonly largeRoomAudio: MediaElement | null;
  };
}

/** The media of one stay, from the enter to the exit. No function throws, except where stated. */
export interface ParticipationMedia {
  /** The devices that could not be opened. */
  readonly missing: readonly MissingDevice[];
  readonly isSharingScreen: boolean;
  /** Connects the master endpoint again: the exchange has lost it. */
  connectAgain(): void;
  /**
   * Follows the remote participants: makes a viewer endpoint for each connected one, releases those of the others, and
   * adapts the resolution to the number of connected ones (RM-33).
   */
  follow(sources: readonly MediaSource[]): void;
  setAudioEnabled(isOn: boolean): void;
  setVideoEnabled(isOn: boolean): void;
  setLocalView(element: MediaElement | null): Promise<void>;
  /** Sets the view of a remote participant, also before its media exists. */
  setView(participantId: string, element: MediaElement | null): Promise<void>;
  setLargeRoomAudio(element: MediaElement | null): void;
  /** @throws CallError as `LocalParticipant.startScreenShare` states. */
  startScreenShare(): Promise<void>;
  /** @throws CallError `ERR_NO_SCREEN_SHARE_EXISTS` without a share. */
  stopScreenShare(): void;
  /** Closes the devices and every endpoint, without a request: the exit releases the endpoints at the exchange. */
  close(): void;
}

/**
 * Starts the media of a stay: opens the devices, and makes the master endpoint. `startParticipationMedia` in
 * src/calls/room/media makes it.
 */
export type StartParticipationMedia = (start: ParticipationMediaStart) => ParticipationMedia;
