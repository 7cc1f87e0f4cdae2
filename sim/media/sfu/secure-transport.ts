/**
 * The transport of an endpoint: UDP, ICE, DTLS and SRTP. It passes on what the client has authenticated, within a
 * budget.
 */
import { createHash } from 'node:crypto';
import {
  type CipherContext,
  DtlsServer,
  isRtcp,
  keyLength,
  ProtectionProfileAeadAes128Gcm,
  ProtectionProfileAes128CmHmacSha1_80,
  RtcpPacketConverter,
  type RtcpPacket,
  type RtpHeader,
  saltLength,
  type SrtpProfile,
  SrtcpSession,
  SrtpSession,
} from 'werift';
import { TokenBucket } from '../../exchange/limits/token-bucket.ts';
import type { Budget } from '../../exchange/settings.ts';
import type { ServerAddress } from './answer.ts';
import { IceLite } from './ice-lite.ts';
import type { Fingerprint } from './offer.ts';
import { correctRollover } from './rollover.ts';
import { readRtp, type RtpFields } from './rtp.ts';
import { openUdp, type Remote, type UdpEnd, type UdpSettings } from './udp-socket.ts';

/** The certificate of the server, for every endpoint. */
export type ServerCertificate = Awaited<ReturnType<typeof CipherContext.createSelfSignedCertificateWithKey>> & {
  readonly fingerprint: Fingerprint;
};

export interface TransportEvents {
  /** Called once, when media can be sent. */
  connected(): void;
  rtp(packet: RtpFields): void;
  rtcp(packet: RtcpPacket): void;
  /** Called once, when the client has exceeded its budget. The owner closes the transport. */
  exceeded(what: string): void;
}

export interface TransportOptions {
  readonly udp: UdpSettings;
  readonly certificate: ServerCertificate;
  readonly fingerprint: Fingerprint;
  readonly budget: EndpointBudget;
  readonly now: () => number;
}

/** What an endpoint may send, by second and at once. */
export interface EndpointBudget {
  /** What its client has authenticated. The endpoint above it is closed. */
  readonly packets: Budget;
  readonly bytes: Budget;
  /** What arrives from addresses of the client, authenticated or not. The rest is dropped unread. */
  readonly arrivals: Budget;
  /** What arrives from other addresses. It takes nothing from the client. The rest is dropped unread. */
  readonly strangers: Budget;
  /** Packets that no browser sends: malformed, or of an unknown source. The endpoint above it is closed. */
  readonly faults: Budget;
}

/** GCM needs one pass over a packet instead of two. */
const PROFILES: SrtpProfile[] = [ProtectionProfileAeadAes128Gcm, ProtectionProfileAes128CmHmacSha1_80];

const HANDSHAKE = 22;

type State =
  | { readonly is: 'connecting' }
  | { readonly is: 'connected'; readonly srtp: SrtpSession; readonly srtcp: SrtcpSession }
  | { readonly is: 'closed' };

export class SecureTransport {
  readonly #fingerprint: Fingerprint;
  readonly #udp: UdpEnd;
  readonly #dtls: DtlsServer;
  readonly #budgets: { readonly packets: TokenBucket; readonly bytes: TokenBucket; readonly faults: TokenBucket };
  #state: State = { is: 'connecting' };
  #events: TransportEvents | null = null;
  #readDtls: (packet: Buffer) => void = () => undefined;

  readonly ice: IceLite;

  private constructor(udp: UdpEnd, ice: IceLite, { certificate, fingerprint, budget, now }: TransportOptions) {
    this.#udp = udp;
    this.ice = ice;
    this.#fingerprint = fingerprint;
    this.#budgets = {
      packets: new TokenBucket(budget.packets, now),
      bytes: new TokenBucket(budget.bytes, now),
      faults: new TokenBucket(budget.faults, now),
    };
    this.#dtls = this.#startDtls(certificate);
  }

  /** Opens a transport. Rejects with NoFreePort. */
  static async open(options: TransportOptions): Promise<SecureTransport> {
    const arrivals = new TokenBucket(options.budget.arrivals, options.now);
    const strangers = new TokenBucket(options.budget.strangers, options.now);
    let receive: (packet: Buffer, from: Remote) => void = () => undefined;
    const udp = await openUdp(options.udp, (packet, from) => receive(packet, from));
    const ice = new IceLite((packet, to) => udp.send(packet, to), options.now);
    const made = new SecureTransport(udp, ice, options);
    receive = (packet, from) => {
      const budget = ice.isKnown(from) ? arrivals : strangers;
      if (packet.length >= 2 && budget.take()) made.#received(packet, from);
    };
    return made;
  }

  /** Sets the receiver of what arrives. */
  deliverTo(events: TransportEvents): void {
    this.#events = events;
  }

  get addresses(): readonly ServerAddress[] {
    return this.#udp.addresses;
  }

  /** Sends a packet. Drops it before the transport is connected, and while the client is silent. */
  sendRtp(header: RtpHeader, payload: Buffer): void {
    const remote = this.ice.selected;
    if (this.#state.is === 'connected' && remote) this.#udp.send(this.#state.srtp.encrypt(payload, header), remote);
  }

  sendRtcp(packets: readonly RtcpPacket[]): void {
    const remote = this.ice.selected;
    if (this.#state.is !== 'connected' || !remote || packets.length === 0) return;
    const compound = Buffer.concat(packets.map((packet) => packet.serialize()));
    this.#udp.send(this.#state.srtcp.encrypt(compound), remote);
  }

  /** Counts a packet that no browser sends. */
  fault(): void {
    if (!this.#budgets.faults.take()) this.#exceeded('malformed packets');
  }

  close(): void {
    this.#state = { is: 'closed' };
    this.#udp.close();
  }

  /** Sorts what arrives by its first byte (RFC 7983). */
  #received(packet: Buffer, from: Remote): void {
    const first = packet.readUInt8(0);
    if (first <= 3) this.ice.check(packet, from);
    else if (!this.ice.isKnown(from)) return;
    else if (first >= 20 && first <= 63) this.#receivedDtls(packet);
    else if (first >= 128 && first <= 191) this.#receivedMedia(packet);
  }

  #receivedDtls(packet: Buffer): void {
    // After the handshake, an unencrypted record cannot be from the client (RFC 6347 §4.1).
    const isClear = packet.length < 13 || (packet.readUInt8(0) === HANDSHAKE && packet.readUInt16BE(3) === 0);
    if (this.#state.is === 'closed' || (this.#state.is === 'connected' && isClear)) return;
    try {
      this.#readDtls(packet);
    } catch {
      this.fault();
    }
  }

  #receivedMedia(packet: Buffer): void {
    if (this.#state.is !== 'connected') return;
    const { srtp, srtcp } = this.#state;
    const isControl = isRtcp(packet);
    let plain: Buffer;
    try {
      plain = isControl ? srtcp.decrypt(packet) : srtp.decrypt(packet);
    } catch {
      // It is not from the client, or it is a replay.
      return;
    }
    if (!this.#budgets.packets.take() || !this.#budgets.bytes.take(packet.length)) {
      this.#exceeded('too many packets');
      return;
    }
    if (isControl) this.#readRtcp(plain);
    else this.#readRtp(plain);
  }

  #readRtp(plain: Buffer): void {
    const packet = readRtp(plain);
    if (packet) this.#events?.rtp(packet);
    else this.fault();
  }

  #readRtcp(plain: Buffer): void {
    let packets: RtcpPacket[];
    try {
      packets = RtcpPacketConverter.deSerialize(plain);
    } catch {
      this.fault();
      return;
    }
    for (const packet of packets) this.#events?.rtcp(packet);
  }

  #exceeded(what: string): void {
    if (this.#state.is === 'closed') return;
    this.close();
    this.#events?.exceeded(what);
  }

  #startDtls({ certPem, keyPem, signatureHash }: ServerCertificate): DtlsServer {
    const send = (packet: Buffer) => {
      const remote = this.ice.selected;
      if (remote) this.#udp.send(packet, remote);
      return Promise.resolve();
    };
    const port = {
      type: 'ice',
      address: ['', 0] as const,
      closed: false,
      onData: () => undefined,
      send,
      close: () => Promise.resolve(),
    };
    const dtls = new DtlsServer({
      transport: port as never,
      cert: certPem,
      key: keyPem,
      signatureHash,
      srtpProfiles: PROFILES,
      certificateRequest: true,
      extendedMasterSecret: true,
    });
    this.#readDtls = (packet) => (port.onData as (packet: Buffer) => void)(packet);
    dtls.onConnect.once(() => this.#secured());
    return dtls;
  }

  /** Derives the keys, if the certificate of the client is the one of its offer. */
  #secured(): void {
    const { remoteCertificate, srtp } = this.#dtls;
    if (this.#state.is !== 'connecting') return;
    const profile = srtp.srtpProfile;
    if (!remoteCertificate || !profile || !isOf(this.#fingerprint, remoteCertificate)) {
      this.#exceeded('a wrong certificate');
      return;
    }
    const made = this.#dtls.extractSessionKeys(keyLength(profile), saltLength(profile));
    const keys = {
      localMasterKey: made.localKey as Buffer,
      localMasterSalt: made.localSalt as Buffer,
      remoteMasterKey: made.remoteKey as Buffer,
      remoteMasterSalt: made.remoteSalt as Buffer,
    };
    this.#state = {
      is: 'connected',
      srtp: correctRollover(new SrtpSession({ keys, profile })),
      srtcp: new SrtcpSession({ keys, profile }),
    };
    this.#events?.connected();
  }
}

function isOf({ hash, value }: Fingerprint, certificate: Buffer): boolean {
  const digest = createHash(hash.replace('-', '')).update(certificate).digest('hex').toUpperCase();
  return (digest.match(/../g) ?? []).join(':') === value;
}
