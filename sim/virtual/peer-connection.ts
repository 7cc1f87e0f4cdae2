import type { Clock, Timer } from '../../src/common/clock.ts';
import type { RtcPeerConnection, RtcPeerConnectionEvents } from '../../src/calls/platform/rtc.ts';
import { type ArrivingTrack, ForwardedTrack, lostOnBoth, type MediaSource, type Span } from './forwarded-track.ts';
import { assertConfiguration, VirtualCandidate } from './ice.ts';
import type { MediaEnd, MediaNetwork } from './media-network.ts';
import type { Flow } from './path-quality.ts';
import { randomText } from './random.ts';
import { buildStatsReport } from './rtc-stats.ts';
import { MediaSections } from './media-sections.ts';
import { readSdp, writeSdp, type Direction, type Session } from './sdp.ts';
import type { VirtualTransceiver } from './transceiver.ts';

export interface PeerConnectionDeps {
  /** The name of the device or the media server. */
  readonly node: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly media: MediaNetwork;
  /** Called once, when the connection is closed. */
  readonly closed: (connection: VirtualPeerConnection) => void;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * The first wait before a request to a silent relay is repeated. Each later wait is twice as long (RFC 8489 §6.2.1).
 * Milliseconds.
 */
const FIRST_WAIT_MS = 500;
const LAST_WAIT_MS = 16_000;

/** The credentials of ICE in a description. */
interface Credentials {
  readonly ufrag: string;
  readonly pwd: string;
}

type Listener<K extends keyof RtcPeerConnectionEvents> = (event: RtcPeerConnectionEvents[K]) => void;
type Listeners = { [K in keyof RtcPeerConnectionEvents]: Listener<K>[] };

/**
 * A peer connection without media, in virtual time. It negotiates, gathers, connects and fails as W3C WebRTC and RFC
 * 8829 define. An offer that crosses a local one rolls the local one back (W3C WebRTC §4.4.1.5), as in browsers. wrtc
 * refuses it, and needs an explicit rollback first.
 */
export class VirtualPeerConnection implements RtcPeerConnection, MediaEnd, MediaSource {
  readonly node: string;
  readonly localFingerprint: string;
  connectionState: RTCPeerConnectionState = 'new';
  iceConnectionState: RTCIceConnectionState = 'new';
  signalingState: RTCSignalingState = 'stable';
  localUfrag = '';
  remoteUfrag = '';
  remoteFingerprint = '';
  remoteCandidates = 0;
  readonly #deps: PeerConnectionDeps;
  #configuration: RTCConfiguration;
  readonly #sections: MediaSections;
  readonly #listeners: Listeners = {
    connectionstatechange: [],
    iceconnectionstatechange: [],
    icecandidate: [],
    track: [],
  };
  readonly #sessionId: number;
  /** The credentials of the next description. */
  #credentials: Credentials;
  /** The credentials of the local description. Null before the first. */
  #localCredentials: Credentials | null = null;
  /** Returns to the last stable state. Null in `stable`. */
  #rollBack: (() => void) | null = null;
  #version = 1;
  #remote: Session | null = null;
  #gathering: Timer | null = null;

  constructor(deps: PeerConnectionDeps, configuration: RTCConfiguration) {
    this.#deps = deps;
    this.#configuration = configuration;
    this.node = deps.node;
    this.#sections = new MediaSections(deps.newId);
    this.localFingerprint = Array.from({ length: 32 }, () => randomText(deps.random, 2, '0123456789ABCDEF')).join(':');
    this.#sessionId = Math.floor(deps.random() * 2 ** 52);
    this.#credentials = this.#newCredentials();
  }

  get isClosed(): boolean {
    return this.signalingState === 'closed';
  }

  /** The relays and the policy in use. */
  get configuration(): RTCConfiguration {
    return this.#configuration;
  }

  async createOffer({ iceRestart = false }: { iceRestart?: boolean } = {}): Promise<RTCSessionDescriptionInit> {
    this.#assertOpen();
    // Before the first negotiation there is nothing to restart.
    if (iceRestart && this.localUfrag !== '') this.#credentials = this.#newCredentials();
    return this.#describe('offer', this.#sections.offered());
  }

  async createAnswer(): Promise<RTCSessionDescriptionInit> {
    this.#assertOpen();
    if (this.signalingState !== 'have-remote-offer' || !this.#remote)
      throw wrongState('createAnswer', this.signalingState);
    return this.#describe('answer', this.#sections.answerTo(this.#remote.sections));
  }

  async setLocalDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    this.#assertOpen();
    if (type === 'rollback') return this.#undoOffer('local');
    const isOffer = type === 'offer';
    const allowed = isOffer ? ['stable', 'have-local-offer'] : ['have-remote-offer'];
    if (!allowed.includes(this.signalingState)) throw wrongState(`set local ${type}`, this.signalingState);
    const session = readSdp(sdp);
    this.#rollBack = isOffer ? (this.#rollBack ?? this.#checkpoint()) : null;
    if (isOffer) this.#sections.applyLocalOffer(session.sections);
    else this.#sections.applyLocalAnswer(session.sections);
    this.signalingState = isOffer ? 'have-local-offer' : 'stable';
    const isNew = this.localUfrag !== session.ufrag;
    this.#localCredentials = { ufrag: session.ufrag, pwd: session.pwd };
    this.localUfrag = session.ufrag;
    if (isNew && session.sections.length > 0) this.#gather(session);
    this.#deps.media.reconsider(this);
  }

  async setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit): Promise<void> {
    this.#assertOpen();
    if (type === 'rollback') return this.#undoOffer('remote');
    const isOffer = type === 'offer';
    if (isOffer && this.signalingState === 'have-local-offer') this.#undoOffer('local');
    const allowed = isOffer ? ['stable', 'have-remote-offer'] : ['have-local-offer'];
    if (!allowed.includes(this.signalingState)) throw wrongState(`set remote ${type}`, this.signalingState);
    const session = readSdp(sdp);
    const rollBack = isOffer ? (this.#rollBack ?? this.#checkpoint()) : null;
    const arrived = isOffer
      ? this.#sections.applyRemoteOffer(session.sections)
      : this.#sections.applyRemoteAnswer(session.sections);
    this.#rollBack = rollBack;
    this.#remote = session;
    if (session.ufrag !== this.remoteUfrag) this.remoteCandidates = 0;
    // An offer with new credentials requests an ICE restart. The answer joins it with new credentials. Until then
    // this side has no credentials for the offer, and its earlier candidates do not count.
    if (isOffer && this.remoteUfrag !== '' && session.ufrag !== this.remoteUfrag) {
      this.#credentials = this.#newCredentials();
      this.localUfrag = '';
    }
    this.remoteUfrag = session.ufrag;
    this.remoteFingerprint = session.fingerprint;
    this.remoteCandidates += session.candidates;
    this.signalingState = isOffer ? 'have-remote-offer' : 'stable';
    if (this.connectionState === 'connected') this.#unmute(({ announced }) => announced);
    this.#deps.media.reconsider(this);
    for (const transceiver of arrived) this.#dispatch('track', { track: transceiver.receiver.track, transceiver });
  }

  setConfiguration(configuration: RTCConfiguration): void {
    this.#assertOpen();
    assertConfiguration(configuration);
    this.#configuration = configuration;
  }

  async addIceCandidate({ candidate = '', sdpMid, sdpMLineIndex }: RTCIceCandidateInit): Promise<void> {
    this.#assertOpen();
    if (!this.#remote) throw new DOMException('The remote description was null', 'InvalidStateError');
    // An empty candidate marks the end of candidates.
    if (candidate === '') return;
    if ((sdpMid ?? null) === null && (sdpMLineIndex ?? null) === null) {
      throw new TypeError('sdpMid and sdpMLineIndex are both null');
    }
    const ufrag = /\bufrag (\S+)/.exec(candidate)?.[1];
    const belongs = ufrag === undefined || ufrag === this.remoteUfrag;
    if (!candidate.startsWith('candidate:') || !belongs) {
      throw new DOMException('Error processing ICE candidate', 'OperationError');
    }
    this.remoteCandidates += 1;
    this.#deps.media.reconsider(this);
  }

  addTrack(track: MediaStreamTrack): RTCRtpSender {
    this.#assertOpen();
    if (this.#sections.transceivers.some(({ sender }) => sender.track === track)) {
      throw new DOMException('A sender already exists for the track.', 'InvalidAccessError');
    }
    return this.#sections.addTrack(track).sender;
  }

  addTransceiver(
    trackOrKind: MediaStreamTrack | 'audio' | 'video',
    { direction = 'sendrecv' }: { direction?: RTCRtpTransceiverDirection } = {},
  ): VirtualTransceiver {
    this.#assertOpen();
    const track = typeof trackOrKind === 'string' ? null : trackOrKind;
    const kind = typeof trackOrKind === 'string' ? trackOrKind : trackOrKind.kind;
    return this.#sections.add(kind === 'video' ? 'video' : 'audio', asDirection(direction), track);
  }

  getTransceivers(): VirtualTransceiver[] {
    return [...this.#sections.transceivers];
  }

  async getStats(): Promise<RTCStatsReport> {
    const link = this.#deps.media.linkOf(this);
    link?.accrue();
    return buildStatsReport({
      timestamp: this.#deps.clock.wallTime(),
      connected: this.connectionState === 'connected',
      relayed: this.isRelayed,
      transceivers: this.#sections.transceivers,
      flows: link?.flowsOf(this) ?? null,
      random: this.#deps.random,
    });
  }

  close(): void {
    if (this.isClosed) return;
    this.signalingState = 'closed';
    this.connectionState = 'closed';
    this.iceConnectionState = 'closed';
    this.#gathering?.cancel();
    for (const transceiver of this.#sections.transceivers) transceiver.receiver.track.end();
    this.#deps.media.closed(this);
    this.#deps.closed(this);
  }

  addEventListener<K extends keyof RtcPeerConnectionEvents>(type: K, listener: Listener<K>): void {
    this.#listeners[type].push(listener);
  }

  sentOn(mid: string): MediaStreamTrack | null {
    const transceiver = this.isClosed ? undefined : this.#sections.byMid(mid);
    return transceiver?.isSending ? transceiver.sender.track : null;
  }

  /** Returns the tracks of a kind that arrive now. A track that a media server mixed arrives as its sources. */
  arriving(kind: 'audio' | 'video'): readonly ArrivingTrack[] {
    const { media } = this.#deps;
    const other = media.otherEnd(this);
    if (!other || this.connectionState !== 'connected' || !media.isUp(this, other)) return [];
    const lostIn = (span?: Span) => media.flow(other, this, span).lost;
    return this.#sections.transceivers.flatMap((transceiver): readonly ArrivingTrack[] => {
      const { mid, isReceiving } = transceiver;
      const track = transceiver.kind === kind && isReceiving && mid !== null ? other.sentOn(mid) : null;
      if (!track) return [];
      if (!(track instanceof ForwardedTrack)) return [{ from: other.node, track, lostIn }];
      return track.carried.map((one) => ({ ...one, lostIn: (span) => lostOnBoth(one.lostIn(span), lostIn(span)) }));
    });
  }

  get isRelayed(): boolean {
    return this.#configuration.iceTransportPolicy === 'relay';
  }

  get kbps(): number {
    return this.#sections.transceivers.reduce((sum, transceiver) => sum + transceiver.kbps, 0);
  }

  accrue(ms: number, incoming: Flow, other: MediaEnd): void {
    for (const transceiver of this.#sections.transceivers) {
      if (transceiver.isSending) transceiver.carry(transceiver.sent, ms, { lost: 0, duplicated: 0 });
      const { isReceiving, mid } = transceiver;
      const track = isReceiving && mid !== null ? other.sentOn(mid) : null;
      const missing = track instanceof ForwardedTrack ? track.missing : 0;
      const flow = missing === 0 ? incoming : { ...incoming, lost: lostOnBoth(missing, incoming.lost) };
      if (track) transceiver.carry(transceiver.received, ms, flow);
    }
  }

  ice(ice: RTCIceConnectionState, connection: RTCPeerConnectionState): void {
    if (this.isClosed) return;
    const changed = { ice: this.iceConnectionState !== ice, connection: this.connectionState !== connection };
    this.iceConnectionState = ice;
    this.connectionState = connection;
    if (connection === 'connected') this.#unmute(({ isReceiving, announced }) => isReceiving && announced);
    // Every event is fired twice, as wrtc does: a listener that counts changes must compare the values.
    if (changed.ice) this.#twice('iceconnectionstatechange');
    if (changed.connection) this.#twice('connectionstatechange');
  }

  #twice(type: 'iceconnectionstatechange' | 'connectionstatechange'): void {
    this.#dispatch(type, new Event(type));
    if (!this.isClosed) this.#dispatch(type, new Event(type));
  }

  #unmute(isHeard: (transceiver: VirtualTransceiver) => boolean): void {
    for (const transceiver of this.#sections.transceivers)
      if (isHeard(transceiver)) transceiver.receiver.track.setMuted(false);
  }

  #dispatch<K extends keyof RtcPeerConnectionEvents>(type: K, event: RtcPeerConnectionEvents[K]): void {
    for (const listener of this.#listeners[type]) listener(event);
  }

  /** Rolls the pending offer back. @throws DOMException InvalidStateError without one. */
  #undoOffer(side: 'local' | 'remote'): void {
    if (!this.#rollBack) throw wrongState(`set ${side} rollback`, this.signalingState);
    this.#rollBack();
    this.#rollBack = null;
    this.signalingState = 'stable';
    this.#deps.media.reconsider(this);
  }

  /** Returns a function that restores the descriptions of this moment. */
  #checkpoint(): () => void {
    const { localUfrag, remoteUfrag, remoteFingerprint, remoteCandidates } = this;
    const [credentials, remote] = [this.#localCredentials, this.#remote];
    const restoreSections = this.#sections.checkpoint();
    return () => {
      this.localUfrag = localUfrag;
      this.remoteUfrag = remoteUfrag;
      this.remoteFingerprint = remoteFingerprint;
      this.remoteCandidates = remoteCandidates;
      this.#localCredentials = credentials;
      this.#credentials = credentials ?? this.#credentials;
      this.#remote = remote;
      restoreSections();
    };
  }

  #describe(type: 'offer' | 'answer', sections: Session['sections']): RTCSessionDescriptionInit {
    const session = { sections, ...this.#credentials, fingerprint: this.localFingerprint };
    this.#version += 1;
    return { type, sdp: writeSdp(type, session, { id: this.#sessionId, version: this.#version }) };
  }

  #newCredentials(): Credentials {
    const { random } = this.#deps;
    return { ufrag: randomText(random, 4, LETTERS), pwd: randomText(random, 24, LETTERS) };
  }

  #gather({ ufrag, sections: [first] }: Session): void {
    const { clock, media, random } = this.#deps;
    const relays = (this.#configuration.iceServers ?? [])
      .filter((server) => !hasExpired(server, clock.now()))
      .flatMap(({ urls }) => urls)
      .filter((url) => /^turns?:/.test(url));
    const gather = (ms: number, nextMs: number) => {
      this.#gathering?.cancel();
      this.#gathering = clock.after(ms, () => {
        if (this.localUfrag !== ufrag) return;
        const isAsked = this.isRelayed && relays.length > 0;
        if (isAsked && !media.relayIsUp && nextMs <= LAST_WAIT_MS) return gather(nextMs, 2 * nextMs);
        if (!this.isRelayed || (isAsked && media.relayIsUp)) {
          const port = 49_152 + Math.floor(random() * 16_000);
          const candidate = new VirtualCandidate(this.isRelayed ? 'relay' : 'host', port, ufrag, first?.mid ?? '0');
          this.#dispatch('icecandidate', { candidate });
        }
        if (!this.isClosed) this.#dispatch('icecandidate', { candidate: null });
      });
    };
    gather(media.profile.gather, FIRST_WAIT_MS);
  }

  #assertOpen(): void {
    if (this.isClosed) throw new DOMException('RTCPeerConnection is closed', 'InvalidStateError');
  }
}

/** Returns whether the user name of a relay has an expiry in the past (TURN REST): the relay refuses it. */
function hasExpired({ username = '' }: RTCIceServer, now: number): boolean {
  const [, until] = /^(\d+):/.exec(username) ?? [];
  return until !== undefined && Number(until) * 1_000 <= now;
}

const asDirection = (direction: RTCRtpTransceiverDirection): Direction =>
  direction === 'stopped' ? 'inactive' : direction;

const wrongState = (what: string, state: RTCSignalingState) =>
  new DOMException(`Failed to ${what}: Called in wrong state: ${state}`, 'InvalidStateError');
