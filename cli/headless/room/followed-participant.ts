/** Follows the media of one participant: gives the library a view that measures, and ends a second at a time. */
import type { RemoteParticipant } from '../../../src/calls/room/participant.ts';
import { MediaAccount, type MediaStates } from '../media-account.ts';
import { createMeasuredView, type MeasuredView } from '../measured-view.ts';
import type { Second } from '../messages.ts';
import type { HeadlessPlatform } from '../platform/wrtc-platform.ts';
import type { MemberReport } from './room-messages.ts';

/** The media of one source: a participant, or the mix of a large room. */
export class FollowedMedia {
  readonly #platform: HeadlessPlatform;
  readonly #view: MeasuredView;
  readonly #account: MediaAccount;
  #hasBegun = false;

  constructor(platform: HeadlessPlatform) {
    this.#platform = platform;
    this.#view = createMeasuredView(platform.clock);
    this.#account = new MediaAccount(this.#view, platform.clock.now);
  }

  get element(): HTMLMediaElement {
    return this.#view.element;
  }

  /** The time of the first picture, by the clock of the platform. Null before it. */
  get firstFrameAt(): number | null {
    return this.#view.firstFrameAt;
  }

  /** Starts the seconds, when the media arrives first. */
  begin(hasVideo: boolean): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#account.begin(hasVideo);
  }

  expects(states: MediaStates): void {
    this.#account.expects(states);
  }

  /** Ends a second. Null before the media begins. */
  async endSecond(states: MediaStates): Promise<Second | null> {
    const stream = this.#view.element.srcObject as MediaStream | null;
    const track = stream?.getTracks()[0];
    const connection = track ? this.#platform.connectionOf(track) : null;
    return this.#account.endSecond(await this.#account.takeSample(connection), states);
  }

  figures(): ReturnType<MediaAccount['figures']> {
    return this.#account.figures();
  }

  /** Ends the last second, and stops the meters. Call it before the peer connections close. */
  stop(states: MediaStates): void {
    this.#account.endSecond(null, states);
    this.#view.stop();
  }
}

/** One remote participant, from the moment this client saw it until it left. */
export class FollowedParticipant {
  readonly media: FollowedMedia;
  readonly #participant: RemoteParticipant;
  readonly #hasVideo: boolean;
  #isOver = false;

  constructor(participant: RemoteParticipant, platform: HeadlessPlatform, hasVideo: boolean) {
    this.#participant = participant;
    this.#hasVideo = hasVideo;
    this.media = new FollowedMedia(platform);
    void participant.setMediaView(this.media.element);
  }

  get member(): { readonly participantId: string; readonly user: string } {
    return { participantId: this.#participant.participantId, user: this.#participant.user.userId };
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  streamStarted(): void {
    this.media.begin(this.#hasVideo);
  }

  settingsChanged(): void {
    this.media.expects(this.#states());
  }

  endSecond(): Promise<Second | null> {
    return this.media.endSecond(this.#states());
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.media.stop(this.#states());
  }

  /** @param since - when this client entered, by the clock of the platform. */
  report(since: number): MemberReport {
    const { firstFrameAt } = this.media;
    return {
      ...this.member,
      ...this.media.figures(),
      firstFrame: firstFrameAt === null ? null : Math.max(0, Math.round(firstFrameAt - since)),
    };
  }

  /** Returns what the participant must send now. */
  #states(): MediaStates {
    const { isAudioEnabled, isVideoEnabled } = this.#participant;
    return { audio: isAudioEnabled ? 'due' : 'off', video: isVideoEnabled ? 'due' : 'off' };
  }
}
