/**
 * The sound or the picture that a client gets. Its sequence numbers and times continue when another client's stream
 * takes the place of the former one. It repeats packets that the client lost.
 */
import { RtcpSenderInfo, RtcpSrPacket, RtpHeader, type RtcpPacket, SourceDescriptionChunk } from 'werift';
import { RtcpSourceDescriptionPacket, SourceDescriptionItem } from 'werift';
import { PACKET_RATES } from '../../budgets/media-budgets.ts';
import { TokenBucket } from '../../exchange/limits/token-bucket.ts';
import type { AnsweredSources } from './answer.ts';
import { CLOCK_RATES, type IncomingStream, type MediaPacket, type StreamViewer } from './incoming-stream.ts';
import type { MediaKind, OfferedMedia } from './offer.ts';
import { ahead, pictureNumbers, shiftPictureNumbers } from './rtp.ts';

interface OutgoingPort {
  sendRtp(header: RtpHeader, payload: Buffer): void;
  sendRtcp(packets: readonly RtcpPacket[]): void;
}

/** The sent packets that can be repeated: about two seconds of video. A power of two. */
const KEPT = 512;
/** A larger step of sequence numbers is a new start of the sender. */
const LONGEST_STEP = 1_000;
const CNAME = 1;

/** How the numbers of the source become those of this stream. */
interface Shift {
  readonly sequence: number;
  readonly timestamp: number;
  readonly picture: number;
  readonly base: number;
}

/** The last numbers that were sent. */
interface Sent {
  readonly sequence: number;
  readonly timestamp: number;
  readonly picture: number;
  readonly base: number;
  readonly at: number;
}

interface Kept {
  readonly sequence: number;
  readonly timestamp: number;
  readonly isMarker: boolean;
  readonly payload: Buffer;
}

type Flow =
  | { readonly is: 'paused' }
  /** Video begins with a key frame. */
  | { readonly is: 'waiting'; readonly from: IncomingStream }
  | { readonly is: 'flowing'; readonly from: IncomingStream; readonly first: number; readonly shift: Shift };

export class OutgoingStream implements StreamViewer {
  readonly kind: MediaKind;
  readonly #newSources: () => AnsweredSources;
  readonly #port: OutgoingPort;
  readonly #now: () => number;
  readonly #cname: string;
  readonly #repeats: TokenBucket;
  readonly #kept: (Kept | undefined)[] = [];
  readonly #header = new RtpHeader();
  readonly #rtxHeader = new RtpHeader();
  #sources: AnsweredSources;
  #offered: OfferedMedia;
  #source: IncomingStream | null = null;
  #isWanted = false;
  /** Whether the client has ended its wish for this media, and has not resumed it. */
  #wasEnded = false;
  #flow: Flow = { is: 'paused' };
  #sent: Sent | null = null;
  #counts = { packets: 0, octets: 0 };
  #rtxSequence = 0;

  /** See {@link StreamViewer}. */
  bitrate: number | null = null;

  constructor(
    offered: OfferedMedia,
    options: { newSources: () => AnsweredSources; cname: string; port: OutgoingPort; now: () => number },
  ) {
    this.kind = offered.kind;
    this.#newSources = options.newSources;
    this.#sources = options.newSources();
    this.#offered = offered;
    this.#port = options.port;
    this.#now = options.now;
    this.#cname = options.cname;
    // More of them would load the path that loses packets.
    this.#repeats = new TokenBucket(PACKET_RATES.repeats, options.now);
    this.#useSources();
  }

  /** The sources that the server sends with. */
  get sources(): AnsweredSources {
    return this.#sources;
  }

  /**
   * Applies an answer: the numbers of the codec, and whether the client wants media. Media that is resumed has other
   * sources: Chromium decodes a picture from its former source again, and shows it nowhere.
   */
  negotiated(offered: OfferedMedia, isWanted: boolean): void {
    this.#offered = offered;
    if (this.#isWanted && !isWanted) this.#wasEnded = true;
    this.#isWanted = isWanted;
    if (isWanted && this.#wasEnded) {
      this.#wasEnded = false;
      this.#sources = this.#newSources();
      this.#counts = { packets: 0, octets: 0 };
      this.#useSources();
    }
    this.#restart();
  }

  /** Sends the media of a stream from now on, in place of the former. Null: none. */
  attach(source: IncomingStream | null): void {
    if (this.#source === source) return;
    this.#source?.viewers.delete(this);
    this.#source = source;
    this.bitrate = null;
    this.#flow = { is: 'paused' };
    this.#restart();
  }

  /** The stream that a key frame is requested from, and whose numbers change with it. */
  requestKeyFrame(): void {
    if (this.#flow.is !== 'paused') this.#source?.requestKeyFrame();
  }

  #useSources(): void {
    this.#header.ssrc = this.#sources.ssrc;
    this.#rtxHeader.ssrc = this.#sources.rtxSsrc;
  }

  #restart(): void {
    const source = this.#isWanted ? this.#source : null;
    if (!source) {
      this.#source?.viewers.delete(this);
      this.#flow = { is: 'paused' };
      return;
    }
    source.viewers.add(this);
    if (this.#flow.is === 'paused') this.#flow = { is: 'waiting', from: source };
    source.requestKeyFrame();
  }

  packet(packet: MediaPacket): void {
    if (this.#flow.is === 'waiting') this.#begin(this.#flow.from, packet);
    if (this.#flow.is !== 'flowing') return;
    const { shift, first, from } = this.#flow;
    if (ahead(packet.sequence, first) < 0 && ahead(packet.sequence, first) > -LONGEST_STEP) return;
    const sequence = (packet.sequence + shift.sequence) & 0xffff;
    if (this.#sent && Math.abs(ahead(sequence, this.#sent.sequence)) > LONGEST_STEP) {
      this.#flow = { is: 'waiting', from };
      this.packet(packet);
      return;
    }
    const timestamp = (packet.timestamp + shift.timestamp) >>> 0;
    const payload = this.kind === 'video' ? shiftPictureNumbers(packet.payload, shift) : packet.payload;
    this.#send({ sequence, timestamp, isMarker: packet.isMarker, payload });
  }

  /** Begins to forward, if the packet is one to begin with. The numbers continue those that were sent before. */
  #begin(from: IncomingStream, packet: MediaPacket): void {
    if (this.kind === 'video' && !packet.startsKeyFrame) return;
    const sent = this.#sent;
    const shift = sent ? this.#shiftAfter(sent, packet) : { sequence: 0, timestamp: 0, picture: 0, base: 0 };
    this.#flow = { is: 'flowing', from, first: packet.sequence, shift };
  }

  #shiftAfter(sent: Sent, packet: MediaPacket): Shift {
    const numbers = this.kind === 'video' ? pictureNumbers(packet.payload) : { picture: null, base: null };
    const passed = Math.max(1, Math.round(((this.#now() - sent.at) * CLOCK_RATES[this.kind]) / 1_000));
    return {
      sequence: (sent.sequence + 1 - packet.sequence) & 0xffff,
      timestamp: (sent.timestamp + passed - packet.timestamp) >>> 0,
      picture: numbers.picture === null ? 0 : (sent.picture + 1 - numbers.picture) & 0x7fff,
      base: numbers.base === null ? 0 : (sent.base + 1 - numbers.base) & 0xff,
    };
  }

  #send(packet: Kept): void {
    const isNewest = !this.#sent || ahead(packet.sequence, this.#sent.sequence) > 0;
    if (isNewest) {
      const { sequence, timestamp } = packet;
      const numbers = this.kind === 'video' ? pictureNumbers(packet.payload) : { picture: 0, base: 0 };
      this.#sent = { sequence, timestamp, picture: numbers.picture ?? 0, base: numbers.base ?? 0, at: this.#now() };
    }
    if (this.kind === 'video') this.#kept[packet.sequence % KEPT] = packet;
    this.#counts.packets += 1;
    this.#counts.octets += packet.payload.length;
    const header = this.#header;
    header.payloadType = this.#offered.codec.payloadType;
    this.#fill(header, packet);
    header.sequenceNumber = packet.sequence;
    this.#port.sendRtp(header, packet.payload);
  }

  #fill(header: RtpHeader, { timestamp, isMarker }: Kept): void {
    header.timestamp = timestamp;
    header.marker = isMarker;
    const id = this.#offered.sendTimeExtension;
    header.extensions = id === null ? [] : [{ id, payload: sendTime(this.#now()) }];
    header.extension = id !== null;
  }

  /** Repeats packets that the client lost, as far as they are kept. A packet that is not kept needs a key frame. */
  repeat(lost: readonly number[]): void {
    const { rtxPayloadType } = this.#offered.codec;
    if (rtxPayloadType === null) return;
    for (const sequence of lost) {
      const kept = this.#kept[sequence % KEPT];
      if (kept?.sequence !== sequence) continue;
      if (!this.#repeats.take()) return;
      this.#fill(this.#rtxHeader, kept);
      this.#rtxHeader.payloadType = rtxPayloadType;
      this.#rtxHeader.sequenceNumber = this.#rtxSequence = (this.#rtxSequence + 1) & 0xffff;
      const original = Buffer.allocUnsafe(2);
      original.writeUInt16BE(sequence);
      this.#port.sendRtp(this.#rtxHeader, Buffer.concat([original, kept.payload]));
    }
  }

  senderTime(info: RtcpSenderInfo): void {
    if (this.#flow.is !== 'flowing') return;
    const { ssrc } = this.#sources;
    const senderInfo = new RtcpSenderInfo({
      ntpTimestamp: info.ntpTimestamp,
      rtpTimestamp: (info.rtpTimestamp + this.#flow.shift.timestamp) >>> 0,
      packetCount: this.#counts.packets >>> 0,
      octetCount: this.#counts.octets >>> 0,
    });
    const name = new SourceDescriptionItem({ type: CNAME, text: this.#cname });
    this.#port.sendRtcp([
      new RtcpSrPacket({ ssrc, senderInfo, reports: [] }),
      new RtcpSourceDescriptionPacket({ chunks: [new SourceDescriptionChunk({ source: ssrc, items: [name] })] }),
    ]);
  }
}

/** Returns a time in seconds as a fixed-point number of 6 and 18 bits (abs-send-time). */
function sendTime(ms: number): Buffer {
  const time = Buffer.allocUnsafe(3);
  time.writeUIntBE(Math.floor(((ms % 64_000) / 1_000) * 2 ** 18), 0, 3);
  return time;
}
