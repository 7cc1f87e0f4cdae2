import { LIMITS } from '../../protocol/limits.ts';
import { packSdp } from '../../protocol/sdp-codec.ts';
import type { CandidatePayload } from '../../protocol/entities.ts';
import type { Logger } from '../logging/log.ts';
import { MachineDriver } from '../machine/machine-driver.ts';
import type { Clock } from '../../common/clock.ts';
import type { RtcPeerConnection, RtcPort } from '../platform/rtc.ts';
import { iceNews, watchIce } from './ice-watch.ts';
import { readRemoteSdp } from './remote-sdp.ts';
import { startResend, type Resend } from './resend.ts';
import { serialQueue, type SerialQueue } from './serial-queue.ts';
import { answerTracks, offerTracks, replaceSent, type TrackPlan } from './track-plan.ts';
import {
  PEER_MACHINE,
  type PeerEffect,
  type PeerEventName,
  type PeerRole,
  type PeerRow,
  type PeerState,
} from './table.ts';

/**
 * The channel of descriptions and candidates to the other side. Each promise settles when the exchange has answered.
 */
export interface PeerSignals {
  offer(packedSdp: string, offerId: string): Promise<unknown>;
  /** Sends an answer. `offerId` is that of the answered offer, if the offer had one. */
  answer(packedSdp: string, offerId: string | undefined): Promise<unknown>;
  candidate(candidate: CandidatePayload): Promise<unknown>;
}

/** A description of the other side, unpacked. */
interface Described {
  readonly sdp: string;
  readonly offerId: string | undefined;
}

export interface PeerEvents {
  /** Runs when ICE is connected, for the first time or again. */
  connected(): void;
  /** Runs when media is lost. A restart may restore it. */
  lost(): void;
  closed(): void;
  /** Runs when a track of the other side arrived. */
  track(track: MediaStreamTrack): void;
}

export interface PeerOptions {
  readonly role: Exclude<PeerRole, 'disposable'>;
  readonly connection: RtcPeerConnection;
  /** Makes and applies an answer in one step. Absent for an engine without that step (`RtcPort.answer`). */
  readonly makeAnswer?: RtcPort['answer'];
  /** The tracks that this side sends. Negotiation waits for them. */
  readonly localTracks: Promise<readonly MediaStreamTrack[]>;
  /** The tracks that the connection carries, and their directions. */
  readonly plan: TrackPlan;
  readonly signals: PeerSignals;
  readonly events: PeerEvents;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/** An answered offer. A resent offer gets the same answer. */
interface Answered {
  readonly offer: string;
  /** The packed answer. */
  readonly answer: string;
}

/** The last description that this side sent. */
type Sent =
  /** None is outstanding. */
  | { readonly name: 'settled' }
  /** This side waits for the answer to its offer. */
  | { readonly name: 'offered'; readonly resend: Resend }
  | (Answered & { readonly name: 'answered'; readonly resend: Resend })
  /** The engine refused the answer to this offer. Another one is made when the offer comes again. */
  | { readonly name: 'refused'; readonly offer: string };

/** The last offer of either side. A description is resent until the negotiation goes on. */
type Negotiation =
  | Sent
  /** This side makes an answer. `before` has the last one, which a repetition of its offer gets until then. */
  | { readonly name: 'answering'; readonly offer: string; readonly before: Sent };

/** Returns the negotiation whose description may still be resent. */
const sentIn = (negotiation: Negotiation): Sent =>
  negotiation.name === 'answering' ? negotiation.before : negotiation;

/** Ends the resending of a description. */
function stopResend(negotiation: Negotiation): void {
  const sent = sentIn(negotiation);
  if ('resend' in sent) sent.resend.stop();
}

/**
 * One peer connection: it drives {@link PEER_MACHINE}, negotiates through one serial queue, and resends lost
 * descriptions.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #machine: MachineDriver<PeerState, PeerEventName, PeerEffect, never, PeerRole, PeerRow, Described>;
  readonly #queue: SerialQueue;
  /** The local candidates that wait for their description. Null once it was sent. */
  #unsent: CandidatePayload[] | null = [];
  /** The remote candidates that wait for their description. */
  #early: RTCIceCandidateInit[] = [];
  /** The remote descriptions that are not applied yet. Later candidates wait for them. */
  #unapplied = 0;
  /** The work of the engine on the last remote description. Null before one. */
  #applying: Promise<void> | null = null;
  /** True once a remote description was applied. */
  #isDescribed = false;
  /** Resolves when the tracks of this side are in the connection. */
  readonly #placed: Promise<void>;
  /** The number of candidates since the last description of the other side. */
  #candidates = 0;
  #negotiation: Negotiation = { name: 'settled' };
  /** The number of offers so far. It is the id of the last offer. */
  #offers = 0;

  constructor(options: PeerOptions) {
    this.#options = options;
    const { connection, clock, log, role } = options;
    this.#queue = serialQueue((what, error) => log.error(`peer connection: ${what} failed`, { error }));
    this.#machine = new MachineDriver(PEER_MACHINE, role, clock, {
      perform: (effect, detail) => this.#perform(effect, detail),
      moved: (from, to) => log.debug('peer connection', { from, to }),
      refused: (state, event, reason) => log.error(`peer connection: ${event} in ${state}: ${reason}`),
      failed: (effect, error) => log.error(`peer connection: ${effect} failed`, { error }),
      duration: () => 0,
    });
    watchIce(connection, (news) => this.#machine.raise(news));
    connection.addEventListener('icecandidate', ({ candidate }) => this.#localCandidate(candidate));
    connection.addEventListener('track', ({ track }) => options.events.track(track));
    this.#placed = this.#placeTracks();
    // A description that waits for the tracks reports the failure.
    this.#placed.catch(() => undefined);
  }

  get state(): PeerState {
    return this.#machine.state;
  }

  get connection(): RtcPeerConnection {
    return this.#options.connection;
  }

  /** Makes the first offer. Only the caller does (§6). */
  offer(): void {
    this.#machine.raise('offerRequested');
  }

  /**
   * Handles a packed offer. The offer that was answered last gets its answer again. Corrupt data is logged and changes
   * nothing.
   */
  receiveOffer(packed: string, offerId?: string): void {
    const sdp = this.#unpack(packed, 'offer');
    if (sdp === null) return;
    // Opening the devices may take longer than the other side waits before it repeats its offer.
    const negotiation = this.#negotiation;
    if (negotiation.name === 'answering' && negotiation.offer === sdp) return;
    const sent = sentIn(negotiation);
    if (sent.name === 'answered' && sent.offer === sdp) this.#sendAnswer(sent, offerId);
    else if (sent.name === 'refused' && sent.offer === sdp) this.#answer({ sdp, offerId });
    else this.#machine.raise('offerReceived', { sdp, offerId });
  }

  /** Applies a packed answer. An answer without a pending offer, or to a replaced offer, is logged and dropped. */
  receiveAnswer(packed: string, offerId?: string): void {
    const sdp = this.#unpack(packed, 'answer');
    if (sdp === null) return;
    const isAwaited =
      this.#negotiation.name === 'offered' && (offerId === undefined || offerId === String(this.#offers));
    if (this.#machine.role === 'initiator' && !isAwaited && this.state !== 'closed') {
      this.#options.log.debug('peer connection: an answer without an offer');
      return;
    }
    this.#machine.raise('answerReceived', { sdp, offerId });
  }

  /** Adds a remote candidate. A candidate above the limit of a description is dropped (B44). */
  receiveCandidate({ sdp, sdp_mid, sdp_mline_index }: CandidatePayload): void {
    this.#candidates += 1;
    if (this.#candidates > LIMITS.candidatesPerLeg) {
      this.#options.log.debug('peer connection: one candidate too many');
      return;
    }
    const candidate = { candidate: sdp, sdpMid: sdp_mid, sdpMLineIndex: sdp_mline_index };
    if (this.#takesCandidates) void this.#addCandidate(candidate);
    else this.#early.push(candidate);
  }

  /** Drops candidates that were not applied yet. A peer connection cannot remove those it has. */
  removeCandidates(candidates: readonly CandidatePayload[]): void {
    const gone = new Set(candidates.map(({ sdp }) => sdp));
    this.#early = this.#early.filter(({ candidate }) => !gone.has(candidate ?? ''));
  }

  /** Sends another sound or picture in place of the present one: the n-th of its kind that the plan sends. */
  replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack | null, order = 0): Promise<void> {
    return replaceSent(this.#options.connection, this.#options.plan, kind, track, order);
  }

  /** Marks a connection that another one has replaced. It closes as soon as ICE is lost (§4), or on request. */
  makeDisposable(): void {
    this.#machine.role = 'disposable';
  }

  close(): void {
    if (this.state !== 'closed') this.#machine.raise('closeRequested');
  }

  #perform(effect: PeerEffect, described: Described = { sdp: '', offerId: undefined }): void {
    switch (effect) {
      case 'sendOffer':
        return this.#makeOffer(false);
      case 'sendRestartOffer':
        return this.#makeOffer(true);
      case 'answerOffer':
        return this.#answer(described);
      case 'applyAnswer':
        return this.#applyAnswer(described.sdp);
      case 'takeOfferAgain':
        return this.#machine.raise('offerReceived', described);
      case 'notifyConnected':
        return this.#options.events.connected();
      case 'notifyLost':
        return this.#options.events.lost();
      case 'close':
        return this.#close();
      default:
        return effect satisfies never;
    }
  }

  #makeOffer(iceRestart: boolean): void {
    const { connection, signals, clock, log } = this.#options;
    this.#settle();
    this.#offers += 1;
    const offerId = String(this.#offers);
    this.#queue.add(iceRestart ? 'offering an ICE restart' : 'offering', async () => {
      await this.#placed;
      const offer = await connection.createOffer({ iceRestart });
      if (this.state === 'closed') return;
      // The engine applies the offer while it is packed, sent and read on the other side.
      const applied = connection.setLocalDescription(offer);
      const packed = packSdp(offer.sdp ?? '');
      this.#settle();
      // Resends until the answer arrives: an acknowledged offer may still be lost on its way to the other side.
      const resend = startResend(clock, () => {
        signals.offer(packed, offerId).catch((error: unknown) => log.debug('an offer was not acknowledged', { error }));
      });
      this.#negotiation = { name: 'offered', resend };
      this.#releaseLocalCandidates();
      // The offer has left, so an engine that refused it gets the same one once more.
      await applied.catch(() => connection.setLocalDescription(offer));
    });
  }

  #answer(offer: Described): void {
    this.#candidates = 0;
    this.#unapplied += 1;
    this.#negotiation = { name: 'answering', offer: offer.sdp, before: sentIn(this.#negotiation) };
    this.#queue.add('answering', async () => {
      try {
        await this.#makeAnswer(offer);
      } catch (error) {
        this.#refuse(offer.sdp);
        throw error;
      }
    });
  }

  /** Forgets the answer to an offer, which the engine refused: the other side may send the offer again. */
  #refuse(offer: string): void {
    const negotiation = this.#negotiation;
    if (!('offer' in negotiation) || negotiation.offer !== offer) return;
    stopResend(negotiation);
    this.#negotiation = { name: 'refused', offer };
  }

  async #makeAnswer({ sdp, offerId }: Described): Promise<void> {
    const { connection, makeAnswer } = this.#options;
    const described = this.#describeRemote({ type: 'offer', sdp });
    described.catch(() => undefined);
    await this.#placed;
    // The engine makes the answer after the description, without a turn of the page between them.
    // One that has not taken the offer makes a local offer in its one step, which the next offer of the other side undoes.
    const made = makeAnswer?.(connection) ?? connection.createAnswer();
    const [answer] = await Promise.all([made, described]);
    // An engine may finish its work after the close. Nothing may be sent for a call that is over.
    if (this.state === 'closed') return;
    // The engine applies the answer while it is packed, sent and read on the other side.
    const applied = makeAnswer ? made : connection.setLocalDescription(answer);
    const packed = packSdp(answer.sdp ?? '');
    this.#sendAnswer({ offer: sdp, answer: packed }, offerId);
    this.#releaseLocalCandidates();
    // The answer has left, so an engine that refused it gets the same one once more.
    await applied.catch(() => connection.setLocalDescription(answer));
    this.#noticeHealthyRestart();
  }

  /**
   * Resends an answer until the exchange has it. When it is lost behind the exchange, the repeated offer causes it
   * again.
   */
  #sendAnswer({ offer, answer }: Answered, offerId: string | undefined): void {
    const { signals, clock, log } = this.#options;
    const negotiation = this.#negotiation;
    stopResend(negotiation);
    // The promise settles later, after `resend` is set.
    const resend: Resend = startResend(clock, () => {
      signals.answer(answer, offerId).then(
        () => resend.stop(),
        (error: unknown) => log.debug('an answer was not acknowledged', { error }),
      );
    });
    const answered: Sent = { name: 'answered', offer, answer, resend };
    // Another offer may wait for its answer.
    const isOther = negotiation.name === 'answering' && negotiation.offer !== offer;
    this.#negotiation = isOther ? { ...negotiation, before: answered } : answered;
  }

  #applyAnswer(answer: string): void {
    this.#candidates = 0;
    this.#unapplied += 1;
    this.#settle();
    this.#queue.add('applying the answer', async () => {
      await this.#describeRemote({ type: 'answer', sdp: answer });
      this.#noticeHealthyRestart();
    });
  }

  /** Ends what the last description began: nothing is outstanding. */
  #settle(): void {
    stopResend(this.#negotiation);
    this.#negotiation = { name: 'settled' };
  }

  /** Applies a description of the other side, then the candidates that waited for it. */
  async #describeRemote(description: RTCSessionDescriptionInit): Promise<void> {
    try {
      this.#applying = this.#options.connection.setRemoteDescription(description);
      await this.#applying;
      this.#isDescribed = true;
    } finally {
      this.#unapplied -= 1;
      const waiting = this.#takesCandidates ? this.#early.splice(0) : [];
      for (const candidate of waiting) void this.#addCandidate(candidate);
    }
  }

  /** True when the last description of the other side was applied or refused, and one was applied. */
  get #takesCandidates(): boolean {
    return this.#isDescribed && this.#unapplied === 0;
  }

  /** Adds a candidate, which no other operation waits for: a refused one does not affect its description. */
  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    try {
      await this.#options.connection.addIceCandidate(candidate);
    } catch (error) {
      if (this.state !== 'closed') this.#options.log.error('peer connection: adding a candidate failed', { error });
    }
  }

  /** Ends a restart on a path that works. It changes no state of the connection, so no event would end the restart. */
  #noticeHealthyRestart(): void {
    const restarting = this.state === 'iceRestartOffering' || this.state === 'iceRestartAnswering';
    if (restarting && iceNews(this.#options.connection) === 'iceConnected') this.#machine.raise('iceConnected');
  }

  /**
   * Puts the tracks into the connection as soon as the devices are open: on the answering side, this may be before the
   * offer.
   */
  async #placeTracks(): Promise<void> {
    const { connection, localTracks, plan, role } = this.#options;
    const tracks = await localTracks;
    // Chromium reports no track of an offer without streams when a local track is added while the offer is applied.
    await this.#applying?.catch(() => undefined);
    if (this.state === 'closed') return;
    if (role === 'initiator') offerTracks(connection, plan, tracks);
    else answerTracks(connection, plan, tracks);
  }

  #localCandidate(candidate: RTCIceCandidate | null): void {
    // One that opens a TCP connection is known to the other side by its first check (RFC 8445 §7.3.1.3).
    if (!candidate?.candidate || candidate.tcpType === 'active') return;
    const payload = {
      sdp: candidate.candidate,
      sdp_mid: candidate.sdpMid,
      sdp_mline_index: candidate.sdpMLineIndex,
    };
    if (this.#unsent) this.#unsent.push(payload);
    else this.#sendCandidate(payload);
  }

  /** Sends local candidates after their description, never before it. */
  #releaseLocalCandidates(): void {
    const unsent = this.#unsent ?? [];
    this.#unsent = null;
    for (const candidate of unsent) this.#sendCandidate(candidate);
  }

  #sendCandidate(candidate: CandidatePayload): void {
    const { signals, log } = this.#options;
    signals.candidate(candidate).catch((error: unknown) => log.debug('a candidate was not acknowledged', { error }));
  }

  #unpack(packed: string, what: string): string | null {
    try {
      return readRemoteSdp(packed);
    } catch (error) {
      this.#options.log.error(`peer connection: the ${what} cannot be read`, { error });
      return null;
    }
  }

  #close(): void {
    this.#settle();
    this.#queue.close();
    this.#options.connection.close();
    this.#options.events.closed();
  }
}
