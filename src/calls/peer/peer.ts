import { LIMITS } from '../../protocol/limits.ts';
import { packSdp } from '../../protocol/sdp-codec.ts';
import type { CandidatePayload } from '../../protocol/entities.ts';
import type { Logger } from '../logging/log.ts';
import { MachineDriver } from '../machine/machine-driver.ts';
import type { Clock } from '../../common/clock.ts';
import type { RtcPeerConnection } from '../platform/rtc.ts';
import { iceNews, watchIce } from './ice-watch.ts';
import { readRemoteSdp } from './remote-sdp.ts';
import { Resend } from './resend.ts';
import { SerialQueue } from './serial-queue.ts';
import {
  PEER_TABLE,
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
  offer(packedSdp: string, offerId: string): Promise<void>;
  /** Sends an answer. `offerId` is that of the answered offer, if the offer had one. */
  answer(packedSdp: string, offerId: string | undefined): Promise<void>;
  candidate(candidate: CandidatePayload): Promise<void>;
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
  /** The tracks that this side sends. Negotiation waits for them. */
  readonly localTracks: Promise<readonly MediaStreamTrack[]>;
  /** The kinds of media of the call: a voice call has audio only. */
  readonly kinds: readonly ('audio' | 'video')[];
  readonly signals: PeerSignals;
  readonly events: PeerEvents;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

/**
 * One peer connection: it drives {@link PEER_TABLE}, negotiates through one serial queue, and resends lost
 * descriptions.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #machine: MachineDriver<PeerState, PeerEventName, PeerEffect, never, PeerRole, PeerRow, Described>;
  readonly #queue: SerialQueue;
  readonly #localCandidates: CandidatePayload[] = [];
  readonly #remoteCandidates: RTCIceCandidateInit[] = [];
  /** The number of candidates since the last description of the other side. */
  #candidates = 0;
  #resend: Resend | null = null;
  #described = false;
  #hasRemoteDescription = false;
  #tracksSet = false;
  /** The offer that was answered last, and its answer. A resent offer gets the same answer. */
  #answered: { offer: string; answer: string } | null = null;
  /** The offer whose answer is in progress. */
  #answering: string | null = null;
  /** The number of offers so far. It is the id of the last offer. */
  #offers = 0;
  #offerOutstanding = false;

  constructor(options: PeerOptions) {
    this.#options = options;
    const { connection, clock, log, role } = options;
    this.#queue = new SerialQueue((what, error) => log.error(`peer connection: ${what} failed`, { error }));
    this.#machine = new MachineDriver(PEER_TABLE, role, clock, {
      perform: (effect, detail) => this.#perform(effect, detail),
      moved: (from, to) => log.debug('peer connection', { from, to }),
      refused: (state, event, reason) => log.error(`peer connection: ${event} in ${state}: ${reason}`),
      failed: (effect, error) => log.error(`peer connection: ${effect} failed`, { error }),
      duration: () => 0,
    });
    watchIce(connection, (news) => this.#machine.raise(news));
    connection.addEventListener('icecandidate', ({ candidate }) => this.#localCandidate(candidate));
    connection.addEventListener('track', ({ track }) => options.events.track(track));
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
    if (this.#answering === sdp) return;
    if (this.#answered?.offer === sdp) this.#sendAnswer(this.#answered.answer, offerId);
    else this.#machine.raise('offerReceived', { sdp, offerId });
  }

  /** Applies a packed answer. An answer without a pending offer, or to a replaced offer, is logged and dropped. */
  receiveAnswer(packed: string, offerId?: string): void {
    const sdp = this.#unpack(packed, 'answer');
    if (sdp === null) return;
    const isAwaited = this.#offerOutstanding && (offerId === undefined || offerId === String(this.#offers));
    if (this.#machine.role === 'initiator' && !isAwaited && this.state !== 'closed') {
      this.#options.log.debug('peer connection: an answer without an offer outstanding');
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
    this.#queue.add('adding a candidate', async () => {
      if (this.#hasRemoteDescription) await this.#addCandidate(candidate);
      else this.#remoteCandidates.push(candidate);
    });
  }

  /** Drops candidates that were not applied yet. A peer connection cannot remove those it has. */
  removeCandidates(candidates: readonly CandidatePayload[]): void {
    const gone = new Set(candidates.map(({ sdp }) => sdp));
    this.#queue.add('removing candidates', async () => {
      const kept = this.#remoteCandidates.filter(({ candidate }) => !gone.has(candidate ?? ''));
      this.#remoteCandidates.splice(0, Infinity, ...kept);
    });
  }

  /** Sends another sound or picture in place of the present one. */
  async replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    await this.#transceiver(kind)?.sender.replaceTrack(track);
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
    this.#resend?.stop();
    this.#offers += 1;
    const offerId = String(this.#offers);
    this.#offerOutstanding = false;
    this.#queue.add(iceRestart ? 'offering an ICE restart' : 'offering', async () => {
      await this.#addLocalTracks();
      const offer = await connection.createOffer({ iceRestart });
      await connection.setLocalDescription(offer);
      if (this.state === 'closed') return;
      const packed = packSdp(offer.sdp ?? '');
      this.#offerOutstanding = true;
      // Resends until the answer arrives: an acknowledged offer may still be lost on its way to the other side.
      this.#resend?.stop();
      this.#resend = new Resend(clock, () => {
        signals.offer(packed, offerId).catch((error: unknown) => log.debug('an offer was not acknowledged', { error }));
      });
      this.#releaseLocalCandidates();
    });
  }

  #answer(offer: Described): void {
    this.#candidates = 0;
    this.#answering = offer.sdp;
    this.#queue.add('answering', async () => {
      try {
        await this.#makeAnswer(offer);
      } finally {
        if (this.#answering === offer.sdp) this.#answering = null;
      }
    });
  }

  async #makeAnswer({ sdp, offerId }: Described): Promise<void> {
    const { connection } = this.#options;
    await connection.setRemoteDescription({ type: 'offer', sdp });
    await this.#remoteDescribed();
    await this.#addLocalTracks();
    const answer = await connection.createAnswer();
    await connection.setLocalDescription(answer);
    // An engine may finish its work after the close. Nothing may be sent for a call that is over.
    if (this.state === 'closed') return;
    const packed = packSdp(answer.sdp ?? '');
    this.#answered = { offer: sdp, answer: packed };
    this.#sendAnswer(packed, offerId);
    this.#releaseLocalCandidates();
    this.#noticeHealthyRestart();
  }

  /**
   * Resends an answer until the exchange has it. When it is lost behind the exchange, the repeated offer causes it
   * again.
   */
  #sendAnswer(packed: string, offerId: string | undefined): void {
    const { signals, clock, log } = this.#options;
    this.#resend?.stop();
    // The promise settles later, after `resend` is set.
    const resend: Resend = new Resend(clock, () => {
      signals.answer(packed, offerId).then(
        () => resend.stop(),
        (error: unknown) => log.debug('an answer was not acknowledged', { error }),
      );
    });
    this.#resend = resend;
  }

  #applyAnswer(answer: string): void {
    this.#candidates = 0;
    this.#resend?.stop();
    this.#offerOutstanding = false;
    this.#queue.add('applying the answer', async () => {
      await this.#options.connection.setRemoteDescription({ type: 'answer', sdp: answer });
      await this.#remoteDescribed();
      this.#noticeHealthyRestart();
    });
  }

  async #remoteDescribed(): Promise<void> {
    this.#hasRemoteDescription = true;
    for (const candidate of this.#remoteCandidates.splice(0)) await this.#addCandidate(candidate);
  }

  /** Adds a candidate. A refused candidate does not affect its description. */
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

  async #addLocalTracks(): Promise<void> {
    if (this.#tracksSet) return;
    const { connection, kinds, localTracks, role } = this.#options;
    const tracks = await localTracks;
    for (const kind of kinds) {
      const track = tracks.find((candidate) => candidate.kind === kind) ?? null;
      if (role === 'initiator') {
        connection.addTransceiver(track ?? kind, { direction: 'sendrecv' });
        continue;
      }
      const transceiver = this.#transceiver(kind);
      if (!transceiver) continue;
      transceiver.direction = 'sendrecv';
      await transceiver.sender.replaceTrack(track);
    }
    this.#tracksSet = true;
  }

  #transceiver(kind: string): RTCRtpTransceiver | undefined {
    return this.#options.connection.getTransceivers().find(({ receiver }) => receiver.track.kind === kind);
  }

  #localCandidate(candidate: RTCIceCandidate | null): void {
    if (!candidate?.candidate) return;
    const payload = {
      sdp: candidate.candidate,
      sdp_mid: candidate.sdpMid,
      sdp_mline_index: candidate.sdpMLineIndex,
    };
    this.#localCandidates.push(payload);
    if (this.#described) this.#releaseLocalCandidates();
  }

  /** Sends local candidates after their description, never before it. */
  #releaseLocalCandidates(): void {
    this.#described = true;
    const { signals, log } = this.#options;
    for (const candidate of this.#localCandidates.splice(0)) {
      signals.candidate(candidate).catch((error: unknown) => log.debug('a candidate was not acknowledged', { error }));
    }
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
    this.#resend?.stop();
    this.#queue.close();
    this.#options.connection.close();
    this.#options.events.closed();
  }
}
