import type { Clock, TimerHandle } from '../exchange/ports.ts';
import type { Occasion, Reaction } from './format/tree.ts';
import type { MediaSwitch, MediaPeer, MediaPeerMaker } from './media-peer.ts';

export interface PlayOptions {
  readonly clock: Clock;
  /** Makes an access token for somebody with media, whose device rings for this call alone; null: for none. */
  readonly admit: (callId: string | null) => string;
  readonly dismiss: (token: string) => void;
  readonly parties: MediaPeerMaker;
  readonly media: MediaSwitch;
  readonly decline: (userId: string, callId: string) => void;
  /** From now on nothing this person's side of the call says is heard, and it hears nothing. */
  readonly silence: (userId: string, callId: string) => void;
}

/** Somebody's part in a call: what they do as it goes on. */
interface Part {
  readonly userId: string;
  readonly reactions: readonly Reaction[];
  /** Null until the exchange has named the call they made. */
  callId: string | null;
  /** Whom they called; null where they are called. */
  readonly calleeId: string | null;
  readonly party: MediaPeer | null;
  readonly token: string | null;
  readonly timers: Set<TimerHandle>;
  /** What has happened: a call that finds its media again is not connected anew. */
  readonly happened: Set<Occasion>;
}

/** What simulated people do in their calls: their reactions, each in its time, until the call is over. */
export class Play {
  readonly #options: PlayOptions;
  readonly #parts = new Set<Part>();

  constructor(options: PlayOptions) {
    this.#options = options;
  }

  /** It rings for somebody. */
  called(userId: string, callId: string, reactions: readonly Reaction[]): void {
    if (this.#requireLeg(userId, callId)) return;
    // Who is going to accept gets ready while it rings.
    const accepts = reactions.some((one) => one.do === 'accept');
    const token = accepts ? this.#options.admit(callId) : null;
    const party = token === null ? null : this.#options.parties.answer({ userId, token, callId });
    const part = this.#add({ userId, reactions, callId, calleeId: null, party, token });
    this.#react(part, 'called');
  }

  /** Somebody dials. */
  dial(userId: string, calleeId: string, video: boolean, reactions: readonly Reaction[]): void {
    const token = this.#options.admit(null);
    // Who never got as far as a call has no part in one.
    const gone = () => void (part.callId === null && this.#over(part));
    const party = this.#options.parties.dial({ userId, token, calleeId, video }, gone);
    const part = this.#add({ userId, reactions, callId: null, calleeId, party, token });
  }

  /** The exchange has taken the call that somebody made. */
  dialled(userId: string, calleeId: string, callId: string): void {
    for (const part of this.#parts) {
      if (part.userId !== userId || part.calleeId !== calleeId || part.callId !== null) continue;
      part.callId = callId;
      return;
    }
  }

  /** Something has happened in somebody's call. */
  happened(occasion: Occasion, userId: string, callId: string): void {
    const part = this.#requireLeg(userId, callId);
    if (part) this.#react(part, occasion);
  }

  /** Only these calls go on. */
  review(live: readonly string[]): void {
    for (const part of [...this.#parts]) {
      if (part.callId !== null && !live.includes(part.callId)) this.#over(part);
    }
  }

  close(): void {
    for (const part of [...this.#parts]) this.#over(part);
  }

  #requireLeg(userId: string, callId: string): Part | undefined {
    return [...this.#parts].find((part) => part.userId === userId && part.callId === callId);
  }

  #add(part: Omit<Part, 'timers' | 'happened'>): Part {
    const added = { ...part, timers: new Set<TimerHandle>(), happened: new Set<Occasion>() };
    this.#parts.add(added);
    return added;
  }

  #over(part: Part): void {
    this.#parts.delete(part);
    for (const timer of part.timers) this.#options.clock.clearTimeout(timer);
    part.party?.leave();
    if (part.token !== null) this.#options.dismiss(part.token);
  }

  #react(part: Part, occasion: Occasion): void {
    if (part.happened.has(occasion)) return;
    part.happened.add(occasion);
    for (const reaction of part.reactions) {
      if (reaction.on !== occasion) continue;
      const timer = this.#options.clock.setTimeout(() => {
        part.timers.delete(timer);
        this.#do(part, reaction);
      }, reaction.after);
      part.timers.add(timer);
    }
  }

  #do({ userId, callId, party, happened }: Part, { do: deed }: Reaction): void {
    const { media, decline, silence } = this.#options;
    if (callId === null) return;
    switch (deed) {
      case 'accept':
        return party?.accept();
      case 'decline':
        return decline(userId, callId);
      case 'cancel':
        // Whoever was accepted meanwhile has no reason to give up.
        return happened.has('accepted') ? undefined : party?.end();
      case 'end':
        return party?.end();
      case 'go-silent':
        return silence(userId, callId);
      case 'lose-media':
        return media.cut(callId);
      case 'regain-media':
        return media.restore(callId);
      case 'ignore':
      case 'dial':
        return undefined;
      default:
        return deed satisfies never;
    }
  }
}
