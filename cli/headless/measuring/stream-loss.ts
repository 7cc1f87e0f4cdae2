/** The loss of one received stream, second by second, with packets that never arrived. Pure. */

/** What arrived on a stream in a second. */
export interface Arrived {
  readonly packets: number;
  /** The gaps in the sequence numbers, as the engine counts them. */
  readonly lost: number;
  /** Milliseconds since the last packet, at the end of the second. Null before the first packet of the call. */
  readonly sinceLastMs: number | null;
}

export interface LossOptions {
  /** A stream without packets for longer than this is cut, milliseconds. */
  readonly cutAfterMs: number;
}

/**
 * The loss as a share of the packets that were due. An engine counts losses only between the first and the last packet
 * that
 * arrived, so it misses a cut stream. Here the time without any packet counts as lost as well.
 */
export class StreamLoss {
  readonly #cutAfterMs: number;
  /** Milliseconds of the current gap that are counted as lost. */
  #claimedMs = 0;
  /** Packets per millisecond, while packets arrived. */
  #rate = 0;
  #expectedMs = 0;
  #lostMs = 0;

  constructor({ cutAfterMs }: LossOptions) {
    this.#cutAfterMs = cutAfterMs;
  }

  /**
   * Adds a second in which the stream was due. Returns its loss, 0 to 1.
   *
   * @param arrived - null when the statistics could not be read. Then a gap continues unless media arrived.
   */
  take(ms: number, arrived: Arrived | null, hasMedia: boolean): number | null {
    if (arrived === null) {
      const isCut = this.#claimedMs > 0 && !hasMedia;
      return isCut ? this.#count(ms, ms) : null;
    }
    const { packets, lost, sinceLastMs } = arrived;
    // The packets that are missing in the sequence after a gap were already counted during the gap.
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
    // The gap is too short for a cut. If it becomes one, this second is counted then.
    this.#count(ms, 0);
    return null;
  }

  /** Adds a second in which nothing was due. Packets missing in it are not lost. */
  excuse(arrived: Arrived | null): void {
    this.#claimedMs = arrived?.sinceLastMs ?? 0;
  }

  /** Returns the loss of all seconds so far, 0 to 1. Null when nothing was due. */
  get total(): number | null {
    return this.#expectedMs === 0 ? null : shareOf(this.#lostMs, this.#expectedMs);
  }

  #count(ms: number, lostMs: number): number {
    this.#expectedMs += ms;
    this.#lostMs += lostMs;
    return shareOf(lostMs, ms);
  }
}

/** Limits a share to 1 and to four digits, since no measurement is finer. */
const shareOf = (part: number, whole: number): number => Number(Math.min(1, part / whole).toFixed(4));
