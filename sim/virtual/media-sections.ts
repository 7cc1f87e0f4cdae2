import { agreed, type Direction, type MediaSection, receives, reversed } from './sdp.ts';
import { VirtualTransceiver } from './transceiver.ts';

/**
 * The transceivers of a connection, and the media sections of its descriptions that they belong to. Any number of
 * sections may have one kind: a section is identified by its mid.
 */
export class MediaSections {
  readonly #newId: () => string;
  #transceivers: readonly VirtualTransceiver[] = [];
  /** The mids of the last description, in the order of its sections. The order never changes (RFC 8829 §5.2.2). */
  #mids: readonly string[] = [];
  /** The transceivers that remote offers made since the last checkpoint. */
  readonly #madeByOffer = new Set<VirtualTransceiver>();

  /** @param newId - names the received tracks. */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  get transceivers(): readonly VirtualTransceiver[] {
    return this.#transceivers;
  }

  byMid(mid: string): VirtualTransceiver | undefined {
    return this.#transceivers.find((transceiver) => transceiver.mid === mid);
  }

  add(kind: 'audio' | 'video', direction: Direction, track: MediaStreamTrack | null): VirtualTransceiver {
    const transceiver = new VirtualTransceiver(kind, direction, track, this.#newId());
    this.#transceivers = [...this.#transceivers, transceiver];
    return transceiver;
  }

  /** Sends a track on an unused transceiver of its kind, else on a new one (W3C WebRTC §5.1, addTrack). */
  addTrack(track: MediaStreamTrack): VirtualTransceiver {
    const unused = this.#transceivers.find((transceiver) => transceiver.take(track));
    if (unused) return unused;
    const made = new VirtualTransceiver(
      track.kind === 'video' ? 'video' : 'audio',
      'sendrecv',
      track,
      this.#newId(),
      true,
    );
    this.#transceivers = [...this.#transceivers, made];
    return made;
  }

  /** Returns the sections of an offer: those of the last description, then one for each new transceiver. */
  offered(): MediaSection[] {
    const known = this.#mids.flatMap((mid) => this.byMid(mid) ?? []);
    const mids = new Set(this.#mids);
    return [...known, ...this.#transceivers.filter(({ mid }) => mid === null)].map(({ kind, mid, direction }) => {
      const named = mid ?? unusedIn(mids);
      mids.add(named);
      return { kind, mid: named, direction };
    });
  }

  /** Returns the sections of the answer to an offer: what this side wants and the other side allows. */
  answerTo(offer: readonly MediaSection[]): MediaSection[] {
    return offer.map(({ kind, mid, direction }) => ({
      kind,
      mid,
      direction: agreed(this.byMid(mid)?.direction ?? 'inactive', direction),
    }));
  }

  /** Applies the sections of a local offer: new transceivers get their mids in order. */
  applyLocalOffer(sections: readonly MediaSection[]): void {
    for (const { kind, mid } of sections) {
      if (this.byMid(mid)) continue;
      const unnamed = this.#transceivers.find((transceiver) => transceiver.mid === null && transceiver.kind === kind);
      if (unnamed) unnamed.mid = mid;
    }
    this.#mids = sections.map(({ mid }) => mid);
  }

  /** Applies the sections of a local answer. */
  applyLocalAnswer(sections: readonly MediaSection[]): void {
    for (const { mid, direction } of sections) {
      const transceiver = this.byMid(mid);
      if (transceiver) transceiver.currentDirection = direction;
    }
  }

  /**
   * Applies the sections of a remote offer. A new section takes a transceiver of addTrack, else it makes a new one: those
   * of addTransceiver are not used for it (RFC 8829 §5.10). Returns the transceivers whose media it announces.
   *
   * @throws DOMException InvalidAccessError when the known sections have another order.
   */
  applyRemoteOffer(sections: readonly MediaSection[]): VirtualTransceiver[] {
    if (this.#mids.some((mid, index) => sections[index]?.mid !== mid)) throw wrongOrder('offer');
    this.#mids = sections.map(({ mid }) => mid);
    return sections.flatMap((section) => announce(this.#byMidOrNew(section), section.direction));
  }

  /**
   * Applies the sections of a remote answer. Returns the transceivers whose media it announces.
   *
   * @throws DOMException InvalidAccessError when it has other sections than the offer.
   */
  applyRemoteAnswer(sections: readonly MediaSection[]): VirtualTransceiver[] {
    const isInOrder = sections.length === this.#mids.length && sections.every(({ mid }, at) => mid === this.#mids[at]);
    if (!isInOrder) throw wrongOrder('answer');
    return sections.flatMap(({ mid, direction }) => {
      const transceiver = this.byMid(mid);
      if (!transceiver) return [];
      transceiver.currentDirection = agreed(transceiver.direction, direction);
      return announce(transceiver, direction);
    });
  }

  /**
   * Returns a function that rolls back to this moment (W3C WebRTC §4.4.1.5): mids are taken back, and transceivers
   * that a remote offer made are removed. Transceivers of addTransceiver and the directions they ask for stay.
   */
  checkpoint(): () => void {
    const mids = this.#mids;
    const former = new Map(
      this.#transceivers.map((one) => [
        one,
        { mid: one.mid, announced: one.announced, muted: one.receiver.track.muted },
      ]),
    );
    this.#madeByOffer.clear();
    return () => {
      this.#mids = mids;
      for (const transceiver of this.#madeByOffer) transceiver.stop();
      this.#transceivers = this.#transceivers.filter((transceiver) => !this.#madeByOffer.has(transceiver));
      for (const transceiver of this.#transceivers) {
        const { mid = null, announced = false, muted = true } = former.get(transceiver) ?? {};
        transceiver.mid = mid;
        transceiver.announced = announced;
        transceiver.receiver.track.setMuted(muted);
      }
    };
  }

  #byMidOrNew({ kind, mid }: MediaSection): VirtualTransceiver {
    const known = this.byMid(mid);
    if (known) return known;
    const free = this.#transceivers.find((one) => one.isOfTrack && one.mid === null && one.kind === kind);
    if (free) {
      free.mid = mid;
      return free;
    }
    const made = this.add(kind, 'recvonly', null);
    made.mid = mid;
    this.#madeByOffer.add(made);
    return made;
  }
}

/** Applies what the other side sends on a section. Returns the transceiver if its media is announced for the first time. */
function announce(transceiver: VirtualTransceiver, direction: Direction): VirtualTransceiver[] {
  const wasAnnounced = transceiver.announced;
  transceiver.announced = receives(reversed(direction));
  if (!transceiver.announced) transceiver.receiver.track.setMuted(true);
  return transceiver.announced && !wasAnnounced ? [transceiver] : [];
}

/** Returns the smallest number that is not a mid. */
function unusedIn(mids: ReadonlySet<string>): string {
  let number = 0;
  while (mids.has(String(number))) number += 1;
  return String(number);
}

const wrongOrder = (type: 'offer' | 'answer') =>
  new DOMException(
    type === 'answer'
      ? 'The order of m-lines in answer does not match order in offer.'
      : 'The order of m-lines in subsequent offer does not match order from previous offer/answer.',
    'InvalidAccessError',
  );
