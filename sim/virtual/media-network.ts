/**
 * The paths of media between devices and media servers, and ICE over them. A link joins two peer connections that
 * have each other's descriptions. Its states follow those measured in Chromium: only connectionState becomes `failed`
 * (iceConnectionState stays `disconnected`). A path that returns before `failed` reconnects without a restart. A
 * later one needs an ICE restart.
 */
import type { Clock, Timer } from '../../src/common/clock.ts';
import { MEASURED_ICE, type IceProfile } from './ice.ts';
import { type Flow, flowOf, GOOD_PATH, type PathQuality } from './path-quality.ts';

/** One side of a link, as ICE sees a peer connection. */
export interface MediaEnd {
  /** The name of the device or the media server. Paths join names. */
  readonly node: string;
  readonly localUfrag: string;
  readonly remoteUfrag: string;
  readonly localFingerprint: string;
  readonly remoteFingerprint: string;
  /** The number of the other side's candidates that this side received for its present description. */
  readonly remoteCandidates: number;
  readonly isClosed: boolean;
  /** Whether its media may use the relay only. */
  readonly isRelayed: boolean;
  /** The bit rate that it sends, in kilobits per second. */
  readonly kbps: number;
  /** Returns the track that this side sends on the media section. Null when it sends nothing. */
  sentOn(mid: string): MediaStreamTrack | null;
  /** Adds `ms` milliseconds of media to the counters, received with the quality of `incoming`. */
  accrue(ms: number, incoming: Flow, other: MediaEnd): void;
  /** Sets both states. */
  ice(ice: RTCIceConnectionState, connection: RTCPeerConnectionState): void;
}

const pathBetween = (a: string, b: string) => [a, b].sort().join('\n');

export class MediaNetwork {
  readonly clock: Clock;
  readonly profile: IceProfile;
  readonly #ends = new Map<string, MediaEnd>();
  readonly #links = new Set<IceLink>();
  readonly #cutPaths = new Set<string>();
  readonly #cutDevices = new Set<string>();
  readonly #qualities = new Map<string, PathQuality>();
  /** Devices whose outgoing or incoming media is lost while the path works. */
  readonly #mute = { in: new Set<string>(), out: new Set<string>() };
  #relayIsUp = true;

  constructor(clock: Clock, profile: IceProfile = MEASURED_ICE) {
    this.clock = clock;
    this.profile = profile;
  }

  /** Cuts the path between two nodes, each a device or a media server: nothing passes. */
  cut(a: string, b: string): void {
    this.#change(() => this.#cutPaths.add(pathBetween(a, b)));
  }

  /** Restores the path between two nodes. */
  restore(a: string, b: string): void {
    this.#change(() => this.#cutPaths.delete(pathBetween(a, b)));
  }

  /** Cuts all paths of a node. */
  cutDevice(device: string): void {
    this.#change(() => this.#cutDevices.add(device));
  }

  restoreDevice(device: string): void {
    this.#change(() => this.#cutDevices.delete(device));
  }

  /** Loses the media of one direction, out of a device or into it. Checks and keep-alives still pass. */
  mute(device: string, way: 'in' | 'out'): void {
    this.#change(() => this.#mute[way].add(device));
  }

  unmute(device: string, way: 'in' | 'out'): void {
    this.#change(() => this.#mute[way].delete(device));
  }

  /** Whether the relay works. */
  get relayIsUp(): boolean {
    return this.#relayIsUp;
  }

  /** Removes or restores the relay. The paths that use it are cut or restored. */
  setRelay(isUp: boolean): void {
    this.#change(() => {
      this.#relayIsUp = isUp;
    });
  }

  /** Sets the quality of the path between two nodes from now on. */
  setQuality(a: string, b: string, quality: Partial<PathQuality>): void {
    this.#change(() => this.#qualities.set(pathBetween(a, b), { ...this.quality(a, b), ...quality }));
  }

  quality(a: string, b: string): PathQuality {
    return this.#qualities.get(pathBetween(a, b)) ?? GOOD_PATH;
  }

  /**
   * Returns whether the path between two sides carries anything. A path that loses every packet loses the checks of
   * ICE too.
   */
  isUp(a: MediaEnd, b: MediaEnd): boolean {
    return !this.isCut(a, b) && this.quality(a.node, b.node).lossRate < 1;
  }

  /** Returns whether the path between two sides is cut. */
  isCut(a: MediaEnd, b: MediaEnd): boolean {
    if (this.#cutDevices.has(a.node) || this.#cutDevices.has(b.node)) return true;
    if (a.isRelayed || b.isRelayed) return !this.#relayIsUp;
    return this.#cutPaths.has(pathBetween(a.node, b.node));
  }

  /** Returns the quality of media from one side to the other, over a span of time or on average. */
  flow(sender: MediaEnd, receiver: MediaEnd, span?: { readonly from: number; readonly to: number }): Flow {
    const flow = flowOf(this.quality(sender.node, receiver.node), sender.kbps, span);
    const isMute = this.#mute.out.has(sender.node) || this.#mute.in.has(receiver.node);
    return isMute ? { ...flow, lost: 1 } : flow;
  }

  /** Checks a side with a new description or a new candidate: it may be complete now. */
  reconsider(end: MediaEnd): void {
    if (end.isClosed || end.localUfrag === '') return;
    this.#ends.set(end.localUfrag, end);
    const other = this.#ends.get(end.remoteUfrag);
    if (!other || other === end || other.isClosed) return;
    const matched = other.localUfrag === end.remoteUfrag && other.remoteUfrag === end.localUfrag;
    if (!matched || (end.remoteCandidates === 0 && other.remoteCandidates === 0)) return;
    const existing = this.linkOf(end);
    const link = existing?.joins(end, other) ? existing : new IceLink(this, end, other);
    this.#links.add(link);
    link.negotiate([end.localUfrag, other.localUfrag].sort().join('\n'));
  }

  /** Records that a side closed. The other side gets no notification. */
  closed(end: MediaEnd): void {
    for (const [ufrag, known] of this.#ends) if (known === end) this.#ends.delete(ufrag);
    const link = this.linkOf(end);
    if (!link) return;
    link.pathChanged();
    if (!link.isOver) return;
    link.dispose();
    this.#links.delete(link);
  }

  /** Returns the side that has the description of this one's other side. Undefined when there is none. */
  otherEnd(end: MediaEnd): MediaEnd | undefined {
    const other = this.#ends.get(end.remoteUfrag);
    return other === end || other?.localUfrag !== end.remoteUfrag ? undefined : other;
  }

  /** Counts the media that flowed until now. Call it before a side begins or stops to send. */
  accrue(): void {
    for (const link of this.#links) link.accrue();
  }

  linkOf(end: MediaEnd): IceLink | undefined {
    return [...this.#links].find((link) => link.has(end));
  }

  /** Counts the media that flowed under the old conditions, then changes them. */
  #change(change: () => void): void {
    this.accrue();
    change();
    for (const link of this.#links) link.pathChanged();
  }
}

type Phase = 'checking' | 'connected' | 'disconnected' | 'failed';

/** ICE between two peer connections, over all its restarts. */
class IceLink {
  readonly #network: MediaNetwork;
  readonly #ends: readonly [MediaEnd, MediaEnd];
  #phase: Phase = 'failed';
  /** The pair of credentials that the link uses. */
  #session = '';
  /** The timers of the current phase: they end it with a better or a worse state. */
  #timers: Timer[] = [];
  #wasUp = false;
  #accruedAt = 0;

  constructor(network: MediaNetwork, a: MediaEnd, b: MediaEnd) {
    this.#network = network;
    this.#ends = [a, b];
  }

  /** Whether both sides are closed. */
  get isOver(): boolean {
    return this.#ends.every(({ isClosed }) => isClosed);
  }

  has(end: MediaEnd): boolean {
    return this.#ends.includes(end);
  }

  joins(a: MediaEnd, b: MediaEnd): boolean {
    return this.has(a) && this.has(b);
  }

  /** Returns the quality of what this side receives and of what it sends. */
  flowsOf(end: MediaEnd): { readonly incoming: Flow; readonly outgoing: Flow } {
    const [a, b] = this.#ends;
    const other = end === a ? b : a;
    return { incoming: this.#network.flow(other, end), outgoing: this.#network.flow(end, other) };
  }

  /**
   * Starts a session: both sides have descriptions with this pair of credentials, for the first time or after a
   * restart.
   */
  negotiate(session: string): void {
    if (session === this.#session) return;
    this.#session = session;
    // A restart over a working path does not change the states.
    if (this.#phase === 'connected' && this.#isUp) return;
    this.#enter('checking', 'checking', 'connecting');
    this.#wasUp = this.#isUp;
    this.#wait(this.#network.profile.checksGivenUp, () => this.#fail());
    if (this.#wasUp) this.#wait(this.#network.profile.connect, () => this.#connectIfUp());
  }

  /** Handles a path that was cut or restored, or a side that closed. */
  pathChanged(): void {
    this.accrue();
    const up = this.#isUp;
    if (up === this.#wasUp) return;
    this.#wasUp = up;
    const { profile } = this.#network;
    switch (this.#phase) {
      case 'checking':
        if (up) this.#wait(profile.restartHeal, () => this.#connectIfUp());
        return;
      case 'connected':
        this.#stopTimers();
        if (!up) this.#wait(this.#silenceNoticed, () => this.#disconnect());
        return;
      case 'disconnected':
        this.#stopTimers();
        if (up) this.#wait(profile.heal, () => this.#connect());
        else this.#wait(profile.failedAfter, () => this.#fail());
        return;
      case 'failed':
        return;
      default:
        this.#phase satisfies never;
    }
  }

  /** Clears all timers of the link. */
  dispose(): void {
    this.#stopTimers();
  }

  /** Counts the media that flowed since the last count. */
  accrue(): void {
    const now = this.#network.clock.now();
    const span = { from: this.#accruedAt, to: now };
    const ms = now - this.#accruedAt;
    this.#accruedAt = now;
    const [a, b] = this.#ends;
    // Media on a path that loses everything counts as lost. On a path that is cut it counts as never sent.
    const isSent = this.#wasUp || (this.#isOpen && !this.#network.isCut(a, b));
    if (this.#phase !== 'connected' || !isSent || ms === 0) return;
    a.accrue(ms, this.#network.flow(b, a, span), b);
    b.accrue(ms, this.#network.flow(a, b, span), a);
  }

  get #isUp(): boolean {
    const [a, b] = this.#ends;
    return this.#isOpen && this.#network.isUp(a, b);
  }

  get #isOpen(): boolean {
    return this.#ends.every(({ isClosed }) => !isClosed);
  }

  get #silenceNoticed(): number {
    const { closeNoticed, disconnected } = this.#network.profile;
    return this.#ends.some(({ isClosed }) => isClosed) ? closeNoticed : disconnected;
  }

  #connectIfUp(): void {
    if (this.#isUp) this.#connect();
  }

  #connect(): void {
    this.#wasUp = true;
    this.#accruedAt = this.#network.clock.now();
    const [a, b] = this.#ends;
    const trusted = a.localFingerprint === b.remoteFingerprint && b.localFingerprint === a.remoteFingerprint;
    // ICE has found the path, but DTLS does not trust the certificate of the other side.
    if (trusted) this.#enter('connected', 'connected', 'connected');
    else this.#enter('failed', 'connected', 'failed');
  }

  #disconnect(): void {
    this.#enter('disconnected', 'disconnected', 'disconnected');
    this.#wait(this.#network.profile.failedAfter, () => this.#fail());
  }

  #fail(): void {
    this.#enter('failed', 'disconnected', 'failed');
  }

  #enter(phase: Phase, ice: RTCIceConnectionState, connection: RTCPeerConnectionState): void {
    this.#stopTimers();
    this.#phase = phase;
    for (const end of this.#ends) end.ice(ice, connection);
  }

  #wait(ms: number, run: () => void): void {
    this.#timers.push(this.#network.clock.after(ms, run));
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) timer.cancel();
  }
}
