import { ROOM_DIRECTIONS, type EndpointDirections } from '../../../protocol/room-directions.ts';
import type { CallError } from '../../../protocol/errors.ts';
import type { Logger } from '../../logging/log.ts';
import type { MissingDevice } from '../../media/local-media.ts';
import type { MediaDevices } from '../../media/media-devices.ts';
import { MediaView } from '../../media/media-view.ts';
import type { MediaElement } from '../../platform/media-element.ts';
import type { Platform } from '../../platform/platform.ts';
import type { EndpointRole } from '../endpoint-table.ts';
import type {
  MediaSource,
  ParticipationMedia,
  ParticipationMediaStart,
  StartParticipationMedia,
} from '../participation-media.ts';
import { MediaEndpoint, type MediaEndpointEvents } from './media-endpoint.ts';
import { RemoteMedia } from './remote-media.ts';
import { SentMedia } from './sent-media.ts';

export interface ParticipationMediaDeps {
  readonly platform: Pick<Platform, 'clock' | 'random' | 'newId' | 'rtc' | 'devices' | 'page'>;
  /** The choice of devices. */
  readonly choice: MediaDevices;
  readonly log: Pick<Logger, 'debug' | 'warning' | 'error'>;
}

/** Returns the function that starts the media of a stay over a platform. */
export function startParticipationMedia(deps: ParticipationMediaDeps): StartParticipationMedia {
  return (start) => new StayMedia(deps, start);
}

/** The media of one stay: what is sent, a viewer for each connected remote participant, and the mix of a large room. */
class StayMedia implements ParticipationMedia {
  readonly #deps: ParticipationMediaDeps;
  readonly #start: ParticipationMediaStart;
  readonly #sent: SentMedia;
  readonly #master: MediaEndpoint;
  /** The view of the mix. Without media in a small room. */
  readonly #mix: MediaView;
  readonly #remotes = new Map<string, RemoteMedia>();
  /** The participants of the last {@link follow}. A view may be set before its participant is followed. */
  #followed: ReadonlySet<string> = new Set();
  /** The endpoints that are not closed, also those that are being released. */
  readonly #endpoints = new Set<MediaEndpoint>();
  readonly #leaveDevices: () => void;
  #speaker: string | undefined;
  #isClosed = false;

  constructor(deps: ParticipationMediaDeps, start: ParticipationMediaStart) {
    const { platform, choice, log } = deps;
    const { roomType, events, views } = start;
    this.#deps = deps;
    this.#start = start;
    this.#speaker = choice.wish('audiooutput');
    this.#mix = new MediaView({ muted: false, log });
    // The views of a large room for video have no sound, so the mix needs an element of the library.
    const element = roomType === 'large_room_for_video' ? platform.rtc.createAudioElement() : views.largeRoomAudio;
    void this.#mix.set(element);
    this.#useSpeaker(this.#mix);
    const { master } = ROOM_DIRECTIONS[roomType];
    this.#master = this.#endpoint('master', master, {
      connected: (isAgain) => {
        if (isAgain) events.reconnected();
        this.#sent.fitPicture();
      },
      lost: () => events.disconnected(),
      received: (stream) => this.#mix.attach(stream),
      failed: (error) => events.failed(error),
    });
    this.#sent = new SentMedia({
      ...{ platform, choice, log, start, events },
      isVideoRoom: master.video !== 'inactive',
      master: () => this.#master,
    });
    void this.#sent.setView(views.local);
    this.#leaveDevices = choice.join({
      use: async (kind) => {
        if (kind === 'audiooutput') await this.#changeSpeaker();
      },
      renew: () => Promise.resolve(),
    });
    this.#master.begin();
  }

  get missing(): readonly MissingDevice[] {
    return this.#sent.missing;
  }

  get isSharingScreen(): boolean {
    return this.#sent.isSharingScreen;
  }

  follow(sources: readonly MediaSource[]): void {
    if (this.#isClosed) return;
    const former = this.#followed;
    this.#followed = new Set(sources.map(({ participantId }) => participantId));
    for (const participantId of former) {
      if (this.#followed.has(participantId)) continue;
      this.#remotes.get(participantId)?.release();
      this.#remotes.delete(participantId);
    }
    for (const { participantId, isConnected } of sources) {
      if (isConnected) this.#remote(participantId).connect();
      else this.#remotes.get(participantId)?.release();
    }
    this.#sent.setRemotes(sources.filter(({ isConnected }) => isConnected).length);
  }

  connectAgain(): void {
    this.#master.connectAgain();
  }

  setAudioEnabled(isOn: boolean): void {
    this.#sent.setAudioEnabled(isOn);
  }

  setVideoEnabled(isOn: boolean): void {
    this.#sent.setVideoEnabled(isOn);
  }

  setLocalView(element: MediaElement | null): Promise<void> {
    return this.#sent.setView(element);
  }

  setView(participantId: string, element: MediaElement | null): Promise<void> {
    // A host also removes the view of a participant who has left.
    if (element === null && !this.#remotes.has(participantId)) return Promise.resolve();
    return this.#remote(participantId).setView(element);
  }

  setLargeRoomAudio(element: MediaElement | null): void {
    if (this.#start.roomType === 'large_room_for_audio_only') void this.#mix.set(element);
  }

  startScreenShare(): Promise<void> {
    return this.#sent.startScreenShare();
  }

  stopScreenShare(): void {
    this.#sent.stopScreenShare();
  }

  close(): void {
    this.#isClosed = true;
    this.#leaveDevices();
    this.#sent.close();
    this.#mix.attach(null);
    for (const remote of this.#remotes.values()) remote.close();
    this.#remotes.clear();
    for (const endpoint of [...this.#endpoints]) endpoint.exit();
  }

  #remote(participantId: string): RemoteMedia {
    const known = this.#remotes.get(participantId);
    if (known) return known;
    const { platform, log } = this.#deps;
    const { roomType, events } = this.#start;
    const { viewer } = ROOM_DIRECTIONS[roomType];
    const told = {
      started: () => events.streamStarted(participantId),
      failed: (error: CallError) => events.failed(error, participantId),
    };
    const remote = new RemoteMedia({
      ...{ participantId, platform, log },
      endpoint: viewer && ((received) => this.#endpoint('viewer', viewer, { ...told, ...received })),
    });
    this.#remotes.set(participantId, remote);
    this.#useSpeaker(remote.view);
    return remote;
  }

  #endpoint(
    role: EndpointRole,
    directions: EndpointDirections,
    events: Omit<MediaEndpointEvents, 'closed'>,
  ): MediaEndpoint {
    const { platform, log } = this.#deps;
    const endpoint: MediaEndpoint = new MediaEndpoint({
      ...{ role, directions, platform, log },
      requests: this.#start.requests,
      tracks: () => (role === 'master' ? this.#sent.tracks() : Promise.resolve([])),
      events: { ...events, closed: () => this.#endpoints.delete(endpoint) },
    });
    this.#endpoints.add(endpoint);
    return endpoint;
  }

  /** Plays all sound through the speaker that the host has chosen. Rejects when an element refuses it. */
  async #changeSpeaker(): Promise<void> {
    this.#speaker = this.#deps.choice.wish('audiooutput');
    const speaker = this.#speaker;
    if (speaker === undefined) return;
    const views = [this.#mix, ...[...this.#remotes.values()].map(({ view }) => view)];
    await Promise.all(views.map((view) => view.setSpeaker(speaker)));
  }

  #useSpeaker(view: MediaView): void {
    const { log } = this.#deps;
    if (this.#speaker === undefined) return;
    view.setSpeaker(this.#speaker).catch((error: unknown) => log.warning('the chosen speaker is not used', { error }));
  }
}
