/** An endpoint: a client's peer connection, with what the client sends and what it gets. */
import { randomBytes } from 'node:crypto';
import {
  GenericNack,
  PictureLossIndication,
  ReceiverEstimatedMaxBitrate,
  RtcpPayloadSpecificFeedback,
  RtcpRrPacket,
  RtcpSrPacket,
  RtcpTransportLayerFeedback,
  type RtcpPacket,
} from 'werift';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import type { EndpointPlan } from '../../exchange/rooms/room-media.ts';
import { bothOf, receives, sends, writeAnswer } from './answer.ts';
import { IncomingStream } from './incoming-stream.ts';
import { type MediaKind, type Offer, type OfferedMedia, readOffer } from './offer.ts';
import { OutgoingStream } from './outgoing-stream.ts';
import { extensionText, type RtpFields } from './rtp.ts';
import { type EndpointBudget, SecureTransport, type ServerCertificate } from './secure-transport.ts';
import type { UdpSettings } from './udp-socket.ts';

/** The number of a full intra request among payload-specific messages (RFC 5104 §4.3.1). */
const FULL_INTRA_REQUEST = 4;

export interface EndpointSurroundings {
  readonly udp: UdpSettings;
  readonly certificate: ServerCertificate;
  readonly budget: EndpointBudget;
  readonly now: () => number;
}

export interface EndpointEvents {
  /** Called when the client has exceeded its budget. The endpoint is closed by then. */
  exceeded(what: string): void;
}

export class SfuEndpoint {
  readonly plan: EndpointPlan;
  readonly incoming = new Map<MediaKind, IncomingStream>();
  readonly outgoing = new Map<MediaKind, OutgoingStream>();
  readonly #transport: SecureTransport;
  readonly #certificate: ServerCertificate;
  readonly #now: () => number;
  readonly #cname = randomBytes(8).toString('hex');
  readonly #reporter = newSource();
  #offer: Offer;
  #answers = 0;

  private constructor(
    plan: EndpointPlan,
    offer: Offer,
    { transport, certificate, now }: { transport: SecureTransport } & Pick<EndpointSurroundings, 'certificate' | 'now'>,
  ) {
    this.plan = plan;
    this.#offer = offer;
    this.#transport = transport;
    this.#certificate = certificate;
    this.#now = now;
  }

  /**
   * Opens an endpoint for the offer of a client. Call {@link answer} next.
   *
   * @throws CallError `ERR_MALFORMED_DATA` for an offer that the SFU cannot answer.
   */
  static async open(
    plan: EndpointPlan,
    sdp: string,
    { udp, certificate, budget, now }: EndpointSurroundings,
    events: EndpointEvents,
  ): Promise<SfuEndpoint> {
    const offer = readOffer(sdp);
    const { fingerprint } = offer;
    const transport = await SecureTransport.open({ udp, certificate, fingerprint, budget, now });
    const made = new SfuEndpoint(plan, offer, { transport, certificate, now });
    transport.deliverTo({
      connected: () => made.#connected(),
      rtp: (packet) => made.#receivedRtp(packet),
      rtcp: (packet) => made.#receivedRtcp(packet),
      exceeded: (what) => events.exceeded(what),
    });
    return made;
  }

  /**
   * Answers an offer: the first one, or a later one.
   *
   * @throws CallError `ERR_MALFORMED_DATA` for an offer that the SFU cannot answer, also for another certificate.
   */
  answer(sdp: string): string {
    const offer = readOffer(sdp);
    if (offer.fingerprint.value !== this.#offer.fingerprint.value) {
      throw new CallError(ErrorCode.ERR_MALFORMED_DATA, { message: 'the certificate of the client has changed' });
    }
    if (offer.iceUfrag !== this.#offer.iceUfrag) this.#transport.ice.restart();
    this.#offer = offer;
    this.#answers += 1;
    const media = offer.media.map((offered) => {
      const direction = bothOf(this.plan[offered.kind], offered.direction);
      return { offered, direction, sources: this.#apply(offered, direction) };
    });
    return writeAnswer({
      version: this.#answers,
      media,
      ice: this.#transport.ice.credentials,
      fingerprint: this.#certificate.fingerprint,
      addresses: this.#transport.addresses,
      cname: this.#cname,
    });
  }

  /** Makes or renews the streams of a section. Returns the sources that the server sends with. */
  #apply(offered: OfferedMedia, direction: EndpointPlan['audio']) {
    const { kind } = offered;
    if (sends(direction)) {
      const former = this.incoming.get(kind);
      const send = (packets: readonly RtcpPacket[]) => this.#transport.sendRtcp(packets);
      if (former) former.renew(offered);
      else
        this.incoming.set(kind, new IncomingStream(kind, { reporter: this.#reporter, now: this.#now, send }, offered));
    }
    const isWanted = receives(direction);
    const known = this.outgoing.get(kind);
    known?.negotiated(offered, isWanted);
    if (known) return known.sources;
    const newSources = () => ({ ssrc: newSource(), rtxSsrc: newSource() });
    if (!receives(this.plan[kind])) return newSources();
    const made = new OutgoingStream(offered, {
      newSources,
      cname: this.#cname,
      port: this.#transport,
      now: this.#now,
    });
    made.negotiated(offered, isWanted);
    this.outgoing.set(kind, made);
    return made.sources;
  }

  /** Sends reports to the client, and requests what is missing. Called at an interval. */
  report(): void {
    const reports = [...this.incoming.values()].flatMap((stream) => stream.report() ?? []);
    if (reports.length === 0) return;
    const bandwidth = [...this.incoming.values()].flatMap((stream) => stream.bandwidth() ?? []);
    this.#transport.sendRtcp([new RtcpRrPacket({ ssrc: this.#reporter, reports }), ...bandwidth]);
  }

  repair(): void {
    for (const stream of this.incoming.values()) stream.repair();
  }

  close(): void {
    for (const stream of this.outgoing.values()) stream.attach(null);
    for (const stream of this.incoming.values()) {
      for (const viewer of stream.viewers) stream.viewers.delete(viewer);
    }
    this.#transport.close();
  }

  /** A viewer that was attached before may begin now. */
  #connected(): void {
    for (const stream of this.outgoing.values()) stream.requestKeyFrame();
    for (const stream of this.incoming.values()) stream.requestKeyFrame();
  }

  #receivedRtp(packet: RtpFields): void {
    const stream = this.#streamOf(packet);
    if (!stream?.receive(packet)) this.#transport.fault();
  }

  /** Finds the stream of a packet: by its source, or for a source that no offer named by its section. */
  #streamOf(packet: RtpFields): IncomingStream | undefined {
    const streams = [...this.incoming.values()];
    const known = streams.find((stream) => stream.has(packet));
    if (known) return known;
    const named = this.#offer.media.find(
      ({ mid, midExtension }) =>
        packet.extensions && midExtension !== null && extensionText(packet.extensions, midExtension) === mid,
    );
    const section =
      named ?? this.#offer.media.find(({ codec }) => !packet.extensions && codec.payloadType === packet.payloadType);
    const stream = section && this.incoming.get(section.kind);
    if (!stream || stream.hasSource || packet.payloadType !== section.codec.payloadType) return undefined;
    stream.learn(packet.ssrc);
    return stream;
  }

  #receivedRtcp(packet: RtcpPacket): void {
    if (packet instanceof RtcpSrPacket) {
      for (const stream of this.incoming.values()) stream.senderReport(packet.ssrc, packet.senderInfo);
    } else if (packet instanceof RtcpTransportLayerFeedback) {
      const { feedback } = packet;
      if (feedback instanceof GenericNack) this.#streamTo(feedback.mediaSourceSsrc)?.repeat(feedback.lost);
    } else if (packet instanceof RtcpPayloadSpecificFeedback) this.#receivedFeedback(packet);
  }

  #receivedFeedback({ feedback }: RtcpPayloadSpecificFeedback): void {
    if (feedback instanceof PictureLossIndication) this.#streamTo(feedback.mediaSsrc)?.requestKeyFrame();
    else if (feedback instanceof ReceiverEstimatedMaxBitrate) {
      const video = this.outgoing.get('video');
      if (video) video.bitrate = Number(feedback.bitrate);
    } else if (feedback?.count === FULL_INTRA_REQUEST) this.outgoing.get('video')?.requestKeyFrame();
  }

  #streamTo(ssrc: number): OutgoingStream | undefined {
    return [...this.outgoing.values()].find(({ sources }) => sources.ssrc === ssrc);
  }
}

/** Returns an SSRC. Zero is left out: some clients read it as none. */
const newSource = () => (randomBytes(4).readUInt32BE(0) >>> 1) + 1;
