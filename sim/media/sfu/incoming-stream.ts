/**
 * The sound or the picture that a client sends. It repairs losses (RFC 4585, RFC 4588), reports on the reception, and
 * asks the client for key frames.
 */
import {
  GenericNack,
  PictureLossIndication,
  ReceiverEstimatedMaxBitrate,
  RtcpPayloadSpecificFeedback,
  type RtcpPacket,
  RtcpReceiverInfo,
  type RtcpSenderInfo,
  RtcpTransportLayerFeedback,
} from 'werift';
import type { Codec, MediaKind } from './offer.ts';
import { ahead, type RtpFields, startsKeyFrame } from './rtp.ts';

/** A packet to be forwarded. */
export interface MediaPacket {
  readonly sequence: number;
  readonly timestamp: number;
  readonly isMarker: boolean;
  readonly payload: Buffer;
  readonly startsKeyFrame: boolean;
}

/** A viewer of a stream. */
export interface StreamViewer {
  packet(packet: MediaPacket): void;
  /** Receives the time of the sender, which relates sound to picture. */
  senderTime(info: RtcpSenderInfo): void;
  /** The bit rate that the path to the viewer has room for. Null before the viewer estimated it. */
  readonly bitrate: number | null;
}

export const CLOCK_RATES: Readonly<Record<MediaKind, number>> = { audio: 48_000, video: 90_000 };

/** The time between two requests of key frames. Milliseconds. */
const KEY_FRAME_MS = 500;
/** The time between two requests of a missing packet, and the number of requests. */
const NACK_MS = 50;
const NACK_TIMES = 10;
/** A longer gap is not repaired: a key frame is requested instead. Packets. */
const LONGEST_GAP = 200;
/** A sequence that jumps further has begun again. Packets. */
const RESTART_GAP = 3_000;
/** The packets whose repetition is noticed. */
const REMEMBERED = 1_024;
/** No viewer makes a sender go below this. Bits a second. */
const LEAST_BITRATE = 150_000;
const MOST_BITRATE = 2_500_000;

interface Missing {
  askedAt: number;
  times: number;
}

export class IncomingStream {
  readonly kind: MediaKind;
  readonly viewers = new Set<StreamViewer>();
  readonly #now: () => number;
  readonly #send: (packets: readonly RtcpPacket[]) => void;
  /** The source that the server sends reports as. */
  readonly #reporter: number;
  readonly #missing = new Map<number, Missing>();
  /** The last sequence number at each place: a packet is forwarded once. */
  readonly #passed = new Int32Array(REMEMBERED).fill(-1);
  #codec: Codec;
  #ssrc: number | null;
  #rtxSsrc: number | null;
  #highest: number | null = null;
  /** The counts since the start, for reports. */
  #cycles = 0;
  #first = 0;
  #received = 0;
  #reported = { expected: 0, received: 0 };
  #jitter = 0;
  #transit: number | null = null;
  #senderInfo: { readonly info: RtcpSenderInfo; readonly at: number } | null = null;
  #keyFrameAt = Number.NEGATIVE_INFINITY;
  #wantsKeyFrame = false;

  constructor(
    kind: MediaKind,
    { reporter, now, send }: { reporter: number; now: () => number; send: (packets: readonly RtcpPacket[]) => void },
    offered: { readonly codec: Codec; readonly ssrc: number | null; readonly rtxSsrc: number | null },
  ) {
    this.kind = kind;
    this.#reporter = reporter;
    this.#now = now;
    this.#send = send;
    this.#codec = offered.codec;
    this.#ssrc = offered.ssrc;
    this.#rtxSsrc = offered.rtxSsrc;
  }

  get hasSource(): boolean {
    return this.#ssrc !== null;
  }

  /** Applies a later offer. */
  renew({
    codec,
    ssrc,
    rtxSsrc,
  }: {
    readonly codec: Codec;
    readonly ssrc: number | null;
    readonly rtxSsrc: number | null;
  }) {
    this.#codec = codec;
    this.#rtxSsrc = rtxSsrc;
    if (ssrc === null || ssrc === this.#ssrc) return;
    this.#ssrc = ssrc;
    this.#highest = null;
    this.#missing.clear();
  }

  /** Learns the source of an offer that named none. */
  learn(ssrc: number): void {
    this.#ssrc ??= ssrc;
  }

  /** Returns whether a packet is of this stream. */
  has({ ssrc }: Pick<RtpFields, 'ssrc'>): boolean {
    return ssrc === this.#ssrc || ssrc === this.#rtxSsrc;
  }

  /** Forwards a packet. Returns false for one that this stream does not have: an unknown codec. */
  receive(packet: RtpFields): boolean {
    if (packet.ssrc === this.#ssrc && packet.payloadType === this.#codec.payloadType) this.#forward(packet);
    else if (packet.ssrc === this.#rtxSsrc && packet.payloadType === this.#codec.rtxPayloadType) {
      // Without an original number it only measures the path (RFC 4588 §4).
      if (packet.payload.length < 2) return true;
      this.#missing.delete(packet.payload.readUInt16BE(0));
      const { payload } = packet;
      this.#pass({ ...packet, sequence: payload.readUInt16BE(0), payload: payload.subarray(2) });
    } else return false;
    return true;
  }

  #forward(packet: RtpFields): void {
    this.#count(packet);
    this.#pass(packet);
  }

  #pass({ sequence, timestamp, isMarker, payload }: RtpFields): void {
    if (this.#passed[sequence % REMEMBERED] === sequence) return;
    this.#passed[sequence % REMEMBERED] = sequence;
    const isStart = this.kind === 'video' && startsKeyFrame(payload);
    if (isStart) this.#wantsKeyFrame = false;
    const media = { sequence, timestamp, isMarker, payload, startsKeyFrame: isStart };
    for (const viewer of this.viewers) viewer.packet(media);
  }

  /** Counts a packet, and notes the packets that are missing before it. */
  #count({ sequence, timestamp }: RtpFields): void {
    const step = this.#highest === null ? null : ahead(sequence, this.#highest);
    if (step === null || Math.abs(step) > RESTART_GAP) {
      this.#first = sequence;
      this.#cycles = 0;
      this.#received = 0;
      this.#reported = { expected: 0, received: 0 };
      this.#missing.clear();
      this.#highest = sequence;
    } else if (step > 0) {
      if (this.kind === 'video' && step > 1) this.#miss(sequence, step - 1);
      if (sequence < (this.#highest ?? 0)) this.#cycles += 0x1_0000;
      this.#highest = sequence;
    } else {
      this.#missing.delete(sequence);
    }
    this.#received += 1;
    const arrival = (this.#now() * CLOCK_RATES[this.kind]) / 1_000;
    const transit = arrival - timestamp;
    if (this.#transit !== null) {
      // A timestamp that wraps gives one huge difference, which is left out.
      const difference = Math.abs(transit - this.#transit);
      if (difference < 0x8000_0000) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }

  #miss(before: number, count: number): void {
    if (count + this.#missing.size > LONGEST_GAP) {
      this.#missing.clear();
      this.requestKeyFrame();
      return;
    }
    for (let back = count; back > 0; back -= 1) {
      this.#missing.set((before - back) & 0xffff, { askedAt: Number.NEGATIVE_INFINITY, times: 0 });
    }
    this.#askMissing();
  }

  /** Requests missing packets again, and the key frame that a viewer waits for. */
  repair(): void {
    this.#askMissing();
    if (this.#wantsKeyFrame) this.requestKeyFrame();
  }

  #askMissing(): void {
    const now = this.#now();
    const lost: number[] = [];
    for (const [sequence, one] of this.#missing) {
      if (now - one.askedAt < NACK_MS) continue;
      if (one.times >= NACK_TIMES) {
        this.#missing.delete(sequence);
        continue;
      }
      one.askedAt = now;
      one.times += 1;
      lost.push(sequence);
    }
    if (lost.length === 0 || this.#ssrc === null) return;
    lost.sort((one, other) => ahead(one, other));
    const feedback = new GenericNack({ senderSsrc: this.#reporter, mediaSourceSsrc: this.#ssrc, lost });
    this.#send([new RtcpTransportLayerFeedback({ feedback })]);
  }

  /** Requests a key frame from the client, now or as soon as the last request is old enough. */
  requestKeyFrame(): void {
    if (this.kind !== 'video') return;
    this.#wantsKeyFrame = true;
    const now = this.#now();
    if (this.#ssrc === null || now - this.#keyFrameAt < KEY_FRAME_MS) return;
    this.#keyFrameAt = now;
    const feedback = new PictureLossIndication({ senderSsrc: this.#reporter, mediaSsrc: this.#ssrc });
    this.#send([new RtcpPayloadSpecificFeedback({ feedback })]);
  }

  /** Notes a report of the sender, and passes its time on. */
  senderReport(ssrc: number, info: RtcpSenderInfo): void {
    if (ssrc !== this.#ssrc) return;
    this.#senderInfo = { info, at: this.#now() };
    for (const viewer of this.viewers) viewer.senderTime(info);
  }

  /** Returns the report on the reception since the last one. Null before the first packet. */
  report(): RtcpReceiverInfo | null {
    if (this.#highest === null || this.#ssrc === null) return null;
    const highest = this.#cycles + this.#highest;
    const expected = highest - this.#first + 1;
    const span = { expected: expected - this.#reported.expected, received: this.#received - this.#reported.received };
    this.#reported = { expected, received: this.#received };
    const lost = Math.max(0, span.expected - span.received);
    const sender = this.#senderInfo;
    return new RtcpReceiverInfo({
      ssrc: this.#ssrc,
      fractionLost: span.expected > 0 ? Math.min(255, Math.floor((lost * 256) / span.expected)) : 0,
      packetsLost: Math.min(0x7f_ffff, Math.max(0, expected - this.#received)),
      highestSequence: highest >>> 0,
      jitter: Math.floor(this.#jitter),
      lsr: sender ? Number((sender.info.ntpTimestamp >> 16n) & 0xffff_ffffn) : 0,
      dlsr: sender ? Math.floor(((this.#now() - sender.at) * 65_536) / 1_000) >>> 0 : 0,
    });
  }

  /** Returns the bit rate that the sender may use: that of the slowest viewer. Null for sound. */
  bandwidth(): RtcpPacket | null {
    if (this.kind !== 'video' || this.#ssrc === null) return null;
    const estimates = [...this.viewers].flatMap(({ bitrate }) => (bitrate === null ? [] : [bitrate]));
    const bitrate = Math.max(LEAST_BITRATE, Math.min(MOST_BITRATE, ...estimates));
    // An exponent and a mantissa of 18 bits (draft-alvestrand-rmcat-remb, section 2.2).
    const brExp = Math.max(0, Math.floor(Math.log2(bitrate)) - 17);
    const feedback = new ReceiverEstimatedMaxBitrate({
      senderSsrc: this.#reporter,
      mediaSsrc: 0,
      ssrcNum: 1,
      brExp,
      brMantissa: Math.floor(bitrate / 2 ** brExp),
      ssrcFeedbacks: [this.#ssrc],
    });
    return new RtcpPayloadSpecificFeedback({ feedback });
  }
}
