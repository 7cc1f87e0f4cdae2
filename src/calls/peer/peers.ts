import type { CandidatePayload, RelayCredential } from '../../protocol/entities.ts';
import { LIMITS, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { RtcPeerConnection, RtcPort } from '../platform/rtc.ts';
import { Peer } from './peer.ts';
import { connectionThrough, renewThrough } from './connection-through.ts';
import type { PeerRole } from './table.ts';
import type { TrackPlan } from './track-plan.ts';

/** The commands of one call's signal group, each with its peer connection. */
export interface PeerCommands {
  offer(packedSdp: string, peerConnectionId: string, offerId: string): Promise<unknown>;
  answer(packedSdp: string, peerConnectionId: string, offerId: string | undefined): Promise<unknown>;
  candidate(candidate: CandidatePayload, peerConnectionId: string): Promise<unknown>;
}

export interface PeersOptions {
  readonly role: Exclude<PeerRole, 'disposable'>;
  /** The tracks that each connection carries. */
  readonly plan: TrackPlan;
  readonly localTracks: Promise<readonly MediaStreamTrack[]>;
  readonly commands: PeerCommands;
  readonly events: {
    connected(): void;
    lost(): void;
    /** Receives the other side's media as one stream, whenever its tracks or its connection change. */
    remoteStream(stream: MediaStream): void;
  };
  readonly rtc: RtcPort;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Pick<Logger, 'debug' | 'error'>;
}

interface Held {
  /** Empty until the responder learns it from the first offer. */
  id: string;
  readonly peer: Peer;
  readonly stream: MediaStream;
}

/**
 * The peer connections of one call: the active one and, during a change of the relay, a prepared one. The prepared one
 * takes over 2 seconds after it connects (§4).
 */
export class Peers {
  readonly #options: PeersOptions;
  #active: Held | null = null;
  #prepared: Held | null = null;
  #swap: Timer | null = null;
  #credential: RelayCredential | null = null;
  /** The tracks that replaced the first tracks of the connections. */
  readonly #replaced = new Map<'audio' | 'video', MediaStreamTrack | null>();
  /** Candidates that arrived before their connection existed. */
  readonly #early: { id: string | undefined; candidate: CandidatePayload }[] = [];
  /** The last report: media works, or it is lost. */
  #works = false;

  constructor(options: PeersOptions) {
    this.#options = options;
  }

  /** The connection that carries the call's media, for statistics. */
  get connection(): RtcPeerConnection | null {
    return this.#active?.peer.connection ?? null;
  }

  /** Creates the call's connection with this relay. */
  create(credential: RelayCredential): void {
    this.#credential = credential;
    const { role, newId } = this.#options;
    this.#active = this.#make(role === 'initiator' ? newId() : '', credential);
  }

  /** Makes the initiator's first offer. */
  offer(): void {
    this.#active?.peer.offer();
  }

  /**
   * Handles an offer. The responder learns a connection's id from its offer. An offer with a new id prepares a second
   * connection.
   */
  receiveOffer(packed: string, id: string | undefined, offerId?: string): void {
    if (this.#options.role === 'initiator') {
      this.#options.log.error('an offer came to the side that makes the offers');
      return;
    }
    if (!this.#active || !this.#credential) return;
    this.#active.id ||= id ?? this.#options.newId();
    let held = this.#find(id);
    if (!held) {
      this.#settlePrepared();
      held = this.#make(id ?? this.#options.newId(), this.#credential);
      this.#prepared = held;
    }
    held.peer.receiveOffer(packed, offerId);
    this.#releaseEarly();
  }

  receiveAnswer(packed: string, id: string | undefined, offerId?: string): void {
    const held = this.#find(id);
    if (held) held.peer.receiveAnswer(packed, offerId);
    else this.#options.log.error('an answer for a peer connection that is not there');
  }

  receiveCandidate(candidate: CandidatePayload, id: string | undefined): void {
    const held = this.#find(id);
    if (held) held.peer.receiveCandidate(candidate);
    else if (this.#early.length < LIMITS.candidatesPerLeg) this.#early.push({ id, candidate });
  }

  removeCandidates(candidates: readonly CandidatePayload[], id: string | undefined): void {
    this.#find(id)?.peer.removeCandidates(candidates);
    const gone = new Set(candidates.map(({ sdp }) => sdp));
    const kept = this.#early.filter((early) => early.id !== id || !gone.has(early.candidate.sdp));
    this.#early.splice(0, Infinity, ...kept);
  }

  /** Handles another relay (turn_changed): the initiator prepares a second connection through it. */
  changeRelay(credential: RelayCredential): void {
    // A connection that waits for the first offer has not used its relay.
    if (this.#active?.id === '') return this.renewRelay(credential);
    this.#credential = credential;
    if (this.#options.role !== 'initiator' || !this.#active) return;
    this.#settlePrepared();
    this.#prepared = this.#make(this.#options.newId(), credential);
    this.#prepared.peer.offer();
  }

  /** Handles a renewed credential of the relay (turn_changed): each connection gathers with it from now on. */
  renewRelay(credential: RelayCredential): void {
    this.#credential = credential;
    for (const held of [this.#active, this.#prepared]) {
      if (held) renewThrough(held.peer.connection, credential, this.#options.log);
    }
  }

  /**
   * Makes room for another prepared connection. The present one takes over at once if it has connected, else it is
   * dropped.
   */
  #settlePrepared(): void {
    if (this.#swap) this.#takeOver();
    this.#prepared?.peer.close();
    this.#prepared = null;
  }

  /** Sends another sound or picture on every connection. */
  async replaceTrack(kind: 'audio' | 'video', track: MediaStreamTrack | null): Promise<void> {
    this.#replaced.set(kind, track);
    await this.#active?.peer.replaceTrack(kind, track);
    await this.#prepared?.peer.replaceTrack(kind, track);
  }

  close(): void {
    this.#swap?.cancel();
    const prepared = this.#prepared;
    this.#prepared = null;
    prepared?.peer.close();
    this.#active?.peer.close();
  }

  #make(id: string, credential: RelayCredential): Held {
    const { role, plan, localTracks, commands, rtc, clock, log } = this.#options;
    const stream = rtc.createMediaStream();
    const peer: Peer = new Peer({
      role,
      plan,
      localTracks,
      connection: connectionThrough(rtc, credential, log),
      makeAnswer: rtc.answer,
      clock,
      log,
      signals: {
        offer: (sdp, offerId) => commands.offer(sdp, held.id, offerId),
        answer: (sdp, offerId) => commands.answer(sdp, held.id, offerId),
        candidate: (candidate) => commands.candidate(candidate, held.id),
      },
      events: {
        connected: () => this.#connected(peer),
        lost: () => this.#lost(peer),
        closed: () => {
          // A connection that is to be replaced closes when it is lost. The prepared one need not wait any more.
          if (this.#active?.peer === peer) this.#takeOver();
        },
        track: (track) => {
          stream.addTrack(track);
          if (this.#active?.peer === peer) this.#options.events.remoteStream(stream);
        },
      },
    });
    const held: Held = { id, peer, stream };
    return held;
  }

  #connected(peer: Peer): void {
    this.#catchUpTracks(peer);
    if (peer === this.#active?.peer) return this.#tell(true);
    if (peer !== this.#prepared?.peer || this.#swap) return;
    this.#active?.peer.makeDisposable();
    this.#swap = this.#options.clock.after(TIMES.peerConnectionSwapMs, () => this.#takeOver());
  }

  #lost(peer: Peer): void {
    if (peer === this.#active?.peer) this.#tell(false);
    if (peer !== this.#prepared?.peer) return;
    // The 2 seconds begin again when it has connected again.
    this.#swap?.cancel();
    this.#swap = null;
  }

  #tell(works: boolean): void {
    if (this.#works === works) return;
    this.#works = works;
    if (works) this.#options.events.connected();
    else this.#options.events.lost();
  }

  /** Replaces the tracks of a connection that was created with former ones. */
  #catchUpTracks(peer: Peer): void {
    for (const [kind, track] of this.#replaced) {
      peer
        .replaceTrack(kind, track)
        .catch((error: unknown) => this.#options.log.error(`the ${kind} track was not replaced`, { error }));
    }
  }

  #takeOver(): void {
    this.#swap?.cancel();
    this.#swap = null;
    const replaced = this.#active;
    if (!replaced || !this.#prepared) return;
    this.#active = this.#prepared;
    this.#prepared = null;
    replaced.peer.close();
    this.#options.events.remoteStream(this.#active.stream);
    // Either connection may have been lost at the takeover.
    this.#tell(this.#active.peer.state === 'connected');
  }

  #find(id: string | undefined): Held | null {
    if (id === undefined) return this.#active;
    return [this.#active, this.#prepared].find((held) => held?.id === id) ?? null;
  }

  #releaseEarly(): void {
    for (const { id, candidate } of this.#early.splice(0)) this.receiveCandidate(candidate, id);
  }
}
