import { ForwardedTrack } from './forwarded-track.ts';
import { VirtualTrack } from './media-track.ts';
import type { Flow } from './path-quality.ts';
import { receives, sends, type Direction } from './sdp.ts';

/** The counters of one direction of a transceiver. They never decrease. */
export interface Carried {
  packets: number;
  lost: number;
}

/** Packets per second: 20 ms of sound each, or two per picture at 24 pictures per second. */
const PACKET_RATE = { audio: 50, video: 48 } as const;
/** Payload sizes. Bytes. */
export const PACKET_BYTES = { audio: 80, video: 1_000 } as const;

/** A transceiver: a sender and a receiver of one kind that share a media section. */
export class VirtualTransceiver implements RTCRtpTransceiver {
  readonly kind: 'audio' | 'video';
  readonly sender: VirtualSender;
  readonly receiver: VirtualReceiver;
  mid: string | null = null;
  direction: Direction;
  currentDirection: Direction | null = null;
  /** Whether the other side has announced media here, and `track` was fired. */
  announced = false;
  /** Whether addTrack made it: a remote offer may take it for a section (RFC 8829 §5.10). */
  readonly isOfTrack: boolean;
  readonly sent: Carried = { packets: 0, lost: 0 };
  readonly received: Carried = { packets: 0, lost: 0 };

  constructor(
    kind: 'audio' | 'video',
    direction: Direction,
    track: MediaStreamTrack | null,
    remoteTrackId: string,
    isOfTrack = false,
  ) {
    this.kind = kind;
    this.direction = direction;
    this.isOfTrack = isOfTrack;
    this.sender = new VirtualSender(kind, track);
    this.receiver = new VirtualReceiver(new VirtualTrack(kind, remoteTrackId, { label: `remote ${kind}` }));
    this.receiver.track.muted = true;
  }

  /** Whether media is sent. A muted track still sends, a missing or ended one does not. */
  get isSending(): boolean {
    const { track } = this.sender;
    if (!sends(this.currentDirection) || track?.readyState !== 'live') return false;
    return !(track instanceof ForwardedTrack) || track.missing < 1;
  }

  /** Sends a track that addTrack gave. Returns false when it sends, or has sent, another one. */
  take(track: MediaStreamTrack): boolean {
    if (track.kind !== this.kind || this.sender.track || sends(this.currentDirection)) return false;
    this.sender.take(track);
    this.direction = receives(this.direction) ? 'sendrecv' : 'sendonly';
    return true;
  }

  get isReceiving(): boolean {
    return receives(this.currentDirection);
  }

  /** The bit rate that it sends, in kilobits per second. */
  get kbps(): number {
    return this.isSending ? (PACKET_RATE[this.kind] * PACKET_BYTES[this.kind] * 8) / 1_000 : 0;
  }

  /**
   * Adds `ms` milliseconds of media to a counter. A duplicate counts twice, and reduces the loss (RFC 3550, 6.4.1).
   */
  carry(counter: Carried, ms: number, { lost, duplicated }: Pick<Flow, 'lost' | 'duplicated'>): void {
    const packets = (ms / 1000) * PACKET_RATE[this.kind];
    const again = packets * (1 - lost) * duplicated;
    counter.packets += packets * (1 - lost) + again;
    counter.lost += packets * lost - again;
  }

  setCodecPreferences(): void {
    // Each kind has one codec: there is nothing to prefer.
  }

  stop(): void {
    this.direction = 'inactive';
    this.currentDirection = 'inactive';
    this.receiver.track.stop();
  }
}

class VirtualSender implements RTCRtpSender {
  readonly dtmf = null;
  readonly transport = null;
  transform: RTCRtpSender['transform'] = null;
  readonly #kind: string;
  #track: MediaStreamTrack | null;

  constructor(kind: string, track: MediaStreamTrack | null) {
    this.#kind = kind;
    this.#track = track;
  }

  get track(): MediaStreamTrack | null {
    return this.#track;
  }

  async replaceTrack(track: MediaStreamTrack | null): Promise<void> {
    if (track && track.kind !== this.#kind) throw new TypeError('The track is of another kind');
    this.#track = track;
  }

  take(track: MediaStreamTrack): void {
    this.#track = track;
  }

  getParameters(): RTCRtpSendParameters {
    return { transactionId: '', encodings: [{}], codecs: [], headerExtensions: [], rtcp: {} };
  }

  async setParameters(): Promise<void> {
    // As in wrtc, this never succeeds.
    throw new DOMException('getParameters() must be called first', 'InvalidStateError');
  }

  setStreams(): void {
    // Streams are not modeled: the library groups tracks itself.
  }

  async getStats(): Promise<RTCStatsReport> {
    return new Map<string, unknown>();
  }
}

class VirtualReceiver implements RTCRtpReceiver {
  readonly track: VirtualTrack;
  readonly transport = null;
  jitterBufferTarget: number | null = null;
  transform: RTCRtpReceiver['transform'] = null;

  constructor(track: VirtualTrack) {
    this.track = track;
  }

  getParameters(): RTCRtpReceiveParameters {
    return { codecs: [], headerExtensions: [], rtcp: {} };
  }

  getContributingSources(): RTCRtpContributingSource[] {
    return [];
  }

  getSynchronizationSources(): RTCRtpSynchronizationSource[] {
    return [];
  }

  async getStats(): Promise<RTCStatsReport> {
    return new Map<string, unknown>();
  }
}
