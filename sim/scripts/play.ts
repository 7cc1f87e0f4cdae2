import type { Clock, Timer } from '../../src/common/clock.ts';
import type { Occasion, Reaction } from './format/tree.ts';
import type { MediaSwitch, MediaPeer, MediaPeerMaker } from './media-peer.ts';

export interface PlayOptions {
  readonly clock: Clock;
  /** Creates an access token for a user with media, whose device rings for this call alone. Null: for no call. */
  readonly admit: (callId: string | null) => string;
  readonly dismiss: (token: string) => void;
  readonly parties: MediaPeerMaker;
  readonly media: MediaSwitch;
  readonly decline: (userId: string, callId: string) => void;
  /** Stops all signals of this user's side of the call, in both directions. */
  readonly silence: (userId: string, callId: string) => void;
}

/** The part of a simulated user in a call: the reactions that remain. */
interface Part {
  readonly userId: string;
  readonly reactions: readonly Reaction[];
  /** Null until the exchange has assigned the id of the call that the user dials. */
  callId: string | null;
  /** The user who is called. Null if this user is the callee. */
  readonly calleeId: string | null;
  readonly party: MediaPeer | null;
  readonly token: string | null;
  readonly timers: Set<Timer>;
  /** The occasions so far: a call whose media returns does not connect a second time. */
  readonly happened: Set<Occasion>;
}

/** The reactions of simulated users in their calls, each at its time, until the call is over. */
export class Play {
  readonly #options: PlayOptions;
  readonly #parts = new Set<Part>();

  constructor(options: PlayOptions) {
    this.#options = options;
  }

  /** Handles a call that rings for a simulated user. */
  called(userId: string, callId: string, reactions: readonly Reaction[]): void {
    if (this.#partOf(userId, callId)) return;
    // A user who will accept prepares while the call rings.
    const accepts = reactions.some((one) => one.do === 'accept');
    const token = accepts ? this.#options.admit(callId) : null;
    const party = token === null ? null : this.#options.parties.answer({ userId, token, callId });
    const part = this.#add({ userId, reactions, callId, calleeId: null, party, token });
    this.#react(part, 'called');
  }

  /** Dials as a simulated user. */
  dial(userId: string, calleeId: string, video: boolean, reactions: readonly Reaction[]): void {
    const token = this.#options.admit(null);
    // A user whose dial failed before it had a call takes no part in one.
    const gone = () => void (part.callId === null && this.#over(part));
    const party = this.#options.parties.dial({ userId, token, calleeId, video }, gone);
    const part = this.#add({ userId, reactions, callId: null, calleeId, party, token });
  }

  /** Records that the exchange has created the call that a user dialed. */
  dialled(userId: string, calleeId: string, callId: string): void {
    for (const part of this.#parts) {
      if (part.userId !== userId || part.calleeId !== calleeId || part.callId !== null) continue;
      part.callId = callId;
      return;
    }
  }

  /** Handles an event in the call of a user. */
  happened(occasion: Occasion, userId: string, callId: string): void {
    const part = this.#partOf(userId, callId);
    if (part) this.#react(part, occasion);
  }

  /** Ends the parts of all calls that are not in this list. */
  review(live: readonly string[]): void {
    for (const part of [...this.#parts]) {
      if (part.callId !== null && !live.includes(part.callId)) this.#over(part);
    }
  }

  close(): void {
    for (const part of [...this.#parts]) this.#over(part);
  }

  #partOf(userId: string, callId: string): Part | undefined {
    return [...this.#parts].find((part) => part.userId === userId && part.callId === callId);
  }

  #add(part: Omit<Part, 'timers' | 'happened'>): Part {
    const added = { ...part, timers: new Set<Timer>(), happened: new Set<Occasion>() };
    this.#parts.add(added);
    return added;
  }

  #over(part: Part): void {
    this.#parts.delete(part);
    for (const timer of part.timers) timer.cancel();
    part.party?.leave();
    if (part.token !== null) this.#options.dismiss(part.token);
  }

  #react(part: Part, occasion: Occasion): void {
    if (part.happened.has(occasion)) return;
    part.happened.add(occasion);
    for (const reaction of part.reactions) {
      if (reaction.on !== occasion) continue;
      const timer = this.#options.clock.after(reaction.after, () => {
        part.timers.delete(timer);
        this.#do(part, reaction);
      });
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
        // A call that was accepted meanwhile is not canceled.
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
