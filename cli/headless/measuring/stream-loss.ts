/** The loss of one received stream, second by second, with what never came. Pure. */

/** What came of a stream in a second. */
export interface Arrived {
  readonly packets: number;
  /** Gaps in the sequence numbers, as the engine counts them. */
  readonly lost: number;
  /** Milliseconds since the last packet, at the end of the second; null before the first packet of the call. */
  readonly sinceLastMs: number | null;
}

export interface LossOptions {
  /** A stream without packets for longer than this is cut, milliseconds. */
  readonly cutAfterMs: number;
}

/**
 * Loss as a share of what ought to have come. An engine counts packets lost between the first and the last that came, so
 * it sees no loss at all where the rest of the stream is missing. Here the time without any packet counts as lost as well.
 */
export class StreamLoss {
  readonly #cutAfterMs: number;
  /** Milliseconds of the running gap that are counted as lost. */
  #claimedMs = 0;
  /** Packets a millisecond, while packets came. */
  #rate = 0;
  #expectedMs = 0;
  #lostMs = 0;

  constructor({ cutAfterMs }: LossOptions) {
    this.#cutAfterMs = cutAfterMs;
  }

  /**
   * Takes a second in which the stream ought to come; returns its loss, 0 to 1.
   *
   * @param arrived - null where the statistics could not be read: then a gap goes on unless media came.
   */
  take(ms: number, arrived: Arrived | null, hasMedia: boolean): number | null {
    if (arrived === null) {
      const isCut = this.#claimedMs > 0 && !hasMedia;
      return isCut ? this.#count(ms, ms) : null;
    }
    const { packets, lost, sinceLastMs } = arrived;
    // Packets that are missing from the sequence after a gap were counted while it lasted.
    const counted = packets > 0 ? this.#rate * this.#claimedMs : 0;
    if (packets > 0) this.#claimedMs = 0;
    const since = sinceLastMs ?? this.#claimedMs + ms;
    const isCut = sinceLastMs === null || since > this.#cutAfterMs;
    const newlyCut = isCut ? Math.max(0, since - this.#claimedMs) : 0;
    if (isCut) this.#claimedMs = since;

    const alive = ms - Math.min(ms, newlyCut);
    const missing = Math.max(0, lost - counted);
    const expected = packets + missing;
    if (alive > 0 && expected > 0) this.#rate = expected / alive;
    if (expected > 0) return this.#count(ms, newlyCut + (missing / expected) * alive);
    if (isCut) return this.#count(ms, Math.max(ms, newlyCut));
    // Not long enough to be a cut: if it becomes one, this second counts then.
    this.#count(ms, 0);
    return null;
  }

  /** Takes a second in which nothing ought to come: what is missing in it is no loss. */
  excuse(arrived: Arrived | null): void {
    this.#claimedMs = arrived?.sinceLastMs ?? 0;
  }

  /** Loss of all seconds so far, 0 to 1; null where nothing ought to have come. */
  get total(): number | null {
    return this.#expectedMs === 0 ? null : shareOf(this.#lostMs, this.#expectedMs);
  }

  #count(ms: number, lostMs: number): number {
    this.#expectedMs += ms;
    this.#lostMs += lostMs;
    return shareOf(lostMs, ms);
  }
}

/** At most 1, and to four digits: no measurement is finer. */
const shareOf = (part: number, whole: number): number => Number(Math.min(1, part / whole).toFixed(4));
