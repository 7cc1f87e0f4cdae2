import { LIMITS, TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { CallStats } from './call-stats.ts';
import { meanMos } from './mos.ts';
import { readStats } from './read-stats.ts';
import type { StatsReport, StatsSource } from './stats-report.ts';

export interface StatsSamplerOptions {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'debug'>;
  /** The seconds between two entries of the mos list, clamped to 1 to 60. Default: 3 (§9). */
  readonly statsInterval?: number;
  /** Runs after each sample. */
  readonly onSample?: (stats: CallStats) => void;
  /** Runs at the end of a stats interval, or of the call within one. */
  readonly onInterval?: (interval: StatsInterval) => void;
}

/** The result of one stats interval. */
export interface StatsInterval {
  /** The last sample of the interval. */
  readonly stats: CallStats;
  /** The number of samples in the interval. */
  readonly measures: number;
  /** The mean opinion score of the interval. Null without one. */
  readonly mos: number | null;
  /** The planned length of the interval, seconds. */
  readonly interval: number;
}

/** Returns seconds within the bounds of §9. The default for a value that is not a number. */
export function clampStatsInterval(seconds: number | undefined): number {
  const { default: standard, min, max } = LIMITS.statsIntervalSeconds;
  if (seconds === undefined || Number.isNaN(seconds)) return standard;
  return Math.min(max, Math.max(min, seconds));
}

/** The statistics of a call for its summary. */
export interface StatsRecord {
  readonly latest: CallStats | null;
  /** The mean opinion scores, one for each stats interval. */
  readonly mosList: readonly number[];
  /** The stats interval, seconds. */
  readonly statsInterval: number;
}

/** Samples a peer connection's statistics every second while started (§9), and keeps the values of the summary. */
export class StatsSampler implements StatsRecord {
  readonly statsInterval: number;
  readonly #options: StatsSamplerOptions;
  readonly #mosList: number[] = [];
  #recentMos: number[] = [];
  #polling: Timer | null = null;
  /** The polled connection. The answer of any other comes too late. */
  #connection: StatsSource | null = null;
  #asking = false;
  #updates = 0;
  /** The number of samples of this interval. */
  #measures = 0;
  #latest: CallStats | null = null;
  #listedAt: number | null = null;

  constructor(options: StatsSamplerOptions) {
    this.#options = options;
    this.statsInterval = clampStatsInterval(options.statsInterval);
  }

  /** The last sample, also after the end. */
  get latest(): CallStats | null {
    return this.#latest;
  }

  get mosList(): readonly number[] {
    return [...this.#mosList];
  }

  /** Polls `connection` from now on, in place of the former one. The same one again changes nothing. */
  start(connection: StatsSource): void {
    if (this.#connection === connection) return;
    this.stop();
    this.#connection = connection;
    this.#updates = 0;
    this.#latest = null;
    this.#listedAt = this.#options.clock.now();
    this.#polling = this.#options.clock.every(TIMES.statsPollMs, () => void this.#poll(connection));
  }

  /** Stops polling, and keeps the values. */
  stop(): void {
    this.#closeInterval();
    this.#polling?.cancel();
    this.#polling = null;
    this.#connection = null;
    this.#asking = false;
  }

  async #poll(connection: StatsSource): Promise<void> {
    // An engine that takes longer than a second is polled again only after it has answered.
    if (this.#asking) return;
    this.#asking = true;
    try {
      const report = await connection.getStats();
      if (this.#connection === connection) this.#take(report);
    } catch (error) {
      this.#options.log.debug('no statistics', { error });
    } finally {
      if (this.#connection === connection) this.#asking = false;
    }
  }

  #take(report: StatsReport): void {
    this.#updates += 1;
    const now = this.#options.clock.now();
    // The other side's reports come seconds late. Up to 15 updates wait for them (§9).
    const awaitReports = this.#updates <= LIMITS.statsUpdatesBeforeQuality;
    const stats = readStats(report, now, this.#latest, { awaitReports });
    this.#latest = stats;
    this.#measures += 1;
    if (stats.mos !== null) this.#recentMos.push(stats.mos);
    if (now - (this.#listedAt ?? now) >= this.statsInterval * 1000) this.#list(now);
    this.#options.onSample?.(stats);
  }

  /** Adds the mean of this interval to the list. An interval without a score adds nothing. */
  #list(now: number): void {
    this.#listedAt = now;
    const mos = this.#closeInterval();
    if (mos !== null) this.#mosList.push(mos);
  }

  /** Ends an interval, and returns its score. An interval without a sample has no result. */
  #closeInterval(): number | null {
    const [stats, measures, mos] = [this.#latest, this.#measures, meanMos(this.#recentMos)];
    this.#recentMos = [];
    this.#measures = 0;
    if (stats && measures > 0) this.#options.onInterval?.({ stats, measures, mos, interval: this.statsInterval });
    return mos;
  }
}
