/** The results of a run: its times, its outcomes, and how both changed while it ran. */
import { Durations } from './durations.ts';
import { FAILURES, type LoadSink, type Outcome, TIME_NAMES, type TimeName } from './metrics.ts';
import type { Measured } from './thresholds.ts';

/** The most points of a chart. A longer run has longer slots. */
const MOST_SLOTS = 300;
const SHORTEST_SLOT_MS = 1_000;

/** A part of the run. Times are milliseconds of dial to ring. */
export interface Slot {
  readonly at: number;
  readonly dialled: number;
  readonly ended: number;
  readonly failed: number;
  /** The live calls at the end of the slot. */
  readonly live: number;
  /** Null when no callee rang in this slot. */
  readonly p50: number | null;
  readonly p99: number | null;
}

interface OpenSlot {
  dialled: number;
  ended: number;
  failed: number;
  /** The change of the live calls. */
  change: number;
  /** The times of dial to ring, until the slot is closed. */
  rings: number[];
  closed: { readonly p50: number | null; readonly p99: number | null } | null;
}

export interface OutcomeCount {
  readonly outcome: Outcome;
  readonly detail: string;
  readonly count: number;
}

const isFailure = (outcome: Outcome): boolean => FAILURES.some((failure) => failure === outcome);

export class Tally implements LoadSink, Measured {
  readonly slotMs: number;
  readonly #times = new Map<TimeName, Durations>(TIME_NAMES.map((name) => [name, new Durations()]));
  readonly #outcomes = new Map<string, { readonly outcome: Outcome; readonly detail: string; count: number }>();
  readonly #slots: OpenSlot[] = [];
  #dialled = 0;
  #waited = 0;
  #live = 0;
  #peak = 0;

  /** @param expectedMs - the planned length of the run. */
  constructor(expectedMs: number) {
    this.slotMs = Math.max(SHORTEST_SLOT_MS, Math.ceil(expectedMs / MOST_SLOTS / SHORTEST_SLOT_MS) * SHORTEST_SLOT_MS);
  }

  /** The calls that were dialled, that are live, and the most that were live at once. */
  get dialledCalls(): number {
    return this.#dialled;
  }

  get live(): number {
    return this.#live;
  }

  get peak(): number {
    return this.#peak;
  }

  /** The dialled calls for which no pair of users was free when they were due. */
  get waitedCalls(): number {
    return this.#waited;
  }

  dialled(at: number, hasWaited: boolean): void {
    this.#dialled += 1;
    if (hasWaited) this.#waited += 1;
    this.#live += 1;
    this.#peak = Math.max(this.#peak, this.#live);
    const slot = this.#slotAt(at);
    slot.dialled += 1;
    slot.change += 1;
  }

  measured(name: TimeName, at: number, ms: number): void {
    this.time(name).record(ms);
    if (name === 'dial-to-ring') this.#slotAt(at).rings.push(ms);
  }

  finished(outcome: Outcome, at: number, detail = ''): void {
    const key = `${outcome} ${detail}`;
    const known = this.#outcomes.get(key);
    if (known) known.count += 1;
    else this.#outcomes.set(key, { outcome, detail, count: 1 });
    const slot = this.#slotAt(at);
    if (outcome !== 'unsent') {
      this.#live -= 1;
      slot.change -= 1;
    }
    if (isFailure(outcome)) slot.failed += 1;
    else slot.ended += 1;
  }

  time(name: TimeName): Durations {
    return this.#times.get(name) as Durations;
  }

  calls(name: Outcome | 'failed' | 'calls'): number {
    if (name === 'calls') return this.#dialled + this.calls('unsent');
    return this.outcomes
      .filter(({ outcome }) => (name === 'failed' ? isFailure(outcome) : outcome === name))
      .reduce((sum, { count }) => sum + count, 0);
  }

  /** The outcomes with their details, the most frequent first. */
  get outcomes(): readonly OutcomeCount[] {
    return [...this.#outcomes.values()].toSorted((a, b) => b.count - a.count);
  }

  /** Returns the parts of the run, without gaps. */
  slots(): Slot[] {
    let live = 0;
    return Array.from({ length: this.#slots.length }, (_, index) => {
      const slot = this.#slots[index] ?? emptySlot();
      live += slot.change;
      const { dialled, ended, failed } = slot;
      return { at: index * this.slotMs, dialled, ended, failed, live, ...(slot.closed ?? percentilesOf(slot)) };
    });
  }

  #slotAt(at: number): OpenSlot {
    const index = Math.max(0, Math.floor(at / this.slotMs));
    const known = this.#slots[index];
    if (known) return known;
    // Another process may still report into the former slot. An older one needs its times no more.
    const old = this.#slots[index - 2];
    if (old && !old.closed) {
      old.closed = percentilesOf(old);
      old.rings = [];
    }
    return (this.#slots[index] = emptySlot());
  }
}

const emptySlot = (): OpenSlot => ({ dialled: 0, ended: 0, failed: 0, change: 0, rings: [], closed: null });

function percentilesOf({ rings }: OpenSlot): { readonly p50: number | null; readonly p99: number | null } {
  const sorted = rings.toSorted((a, b) => a - b);
  return { p50: exact(sorted, 50), p99: exact(sorted, 99) };
}

/** Returns the exact percentile of sorted values, by the nearest rank. */
const exact = (sorted: readonly number[], percent: number): number | null =>
  sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null;
