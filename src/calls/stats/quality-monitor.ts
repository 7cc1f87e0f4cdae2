import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { TIMES } from '../../protocol/limits.ts';
import { isEmpty, requireText } from '../client/checks.ts';
import { ConnectionQualityMonitoringMode, type ConnectionQualityState } from '../client/public-enumerations.ts';
import { callHost } from '../direct-call/notifications.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { audioMeasures } from './audio-measures.ts';
import type { CallStats } from './call-stats.ts';
import { qualityOf } from './quality.ts';

/**
 * How good a call's connection is, over its last second. What is not known yet, or not any more because no audio arrives,
 * is undefined.
 */
export interface ConnectionMetrics {
  /** The band that `mos` falls in, one of ConnectionQualityState; `unavailable` without it. */
  readonly state: ConnectionQualityState;
  /** Mean opinion score of the audio, 1 (bad) to 4.5 (excellent), with one decimal. */
  readonly mos: number | undefined;
  /** Lost packets of the audio that arrives here, as a share of those that should have: 0 to 1. */
  readonly packetsLostRate: number | undefined;
  /** Round-trip time, milliseconds. */
  readonly rtt: number | undefined;
  /** Jitter of the audio, milliseconds: as the other side reports it, or else as it is here. */
  readonly jitter: number | undefined;
}

export type ConnectionQualityListener = (metrics: ConnectionMetrics) => void;

export interface QualityMonitorOptions {
  readonly clock: Pick<Clock, 'every'>;
  readonly log: Pick<Logger, 'error'>;
  /** The latest measurement of the connection in use; null before the first. */
  readonly latest: () => CallStats | null;
}

function connectionMetrics(stats: CallStats | null): ConnectionMetrics {
  const measures = stats && audioMeasures(stats);
  return {
    state: qualityOf(stats?.mos ?? null),
    mos: stats?.mos ?? undefined,
    packetsLostRate: measures?.packetLoss ?? undefined,
    rtt: measures?.roundTripTime ?? undefined,
    jitter: measures?.jitter ?? undefined,
  };
}

/** Tells a host how good the connection of its call is: every 3 seconds, or when that changes (§4, §9). */
export class QualityMonitor {
  readonly #options: QualityMonitorOptions;
  #isMeasuring = false;
  #listener: ConnectionQualityListener | null = null;
  #mode: ConnectionQualityMonitoringMode = 'frequency';
  #dispatch: Timer | null = null;
  /** What the listener knows; a new one knows nothing. */
  #told: ConnectionQualityState = 'unavailable';

  constructor(options: QualityMonitorOptions) {
    this.#options = options;
  }

  /**
   * Sets the one listener, in place of any other.
   *
   * @throws CallError 1800300 or 1800301 naming `mode` or `listener`.
   */
  listen(mode: ConnectionQualityMonitoringMode, listener: ConnectionQualityListener): void {
    // The documents do not spell the modes out: capitals and underscores will do.
    const wanted = requireText(mode, 'mode').toLowerCase().replaceAll('_', '-');
    const known = Object.values(ConnectionQualityMonitoringMode).find((one) => one === wanted);
    if (!known) throw invalidValue('mode');
    if (isEmpty(listener)) throw invalidValue('listener');
    if (typeof listener !== 'function') throw invalidType('listener');
    this.remove();
    this.#mode = known;
    this.#listener = listener;
    this.#told = 'unavailable';
    this.#arm();
  }

  remove(): void {
    this.#listener = null;
    this.#dispatch?.cancel();
    this.#dispatch = null;
  }

  /** Statistics are measured from now on. */
  start(): void {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    this.#arm();
  }

  /** The call is over, and nobody is told anything more. */
  stop(): void {
    this.#isMeasuring = false;
    this.remove();
  }

  /** There is another measurement. */
  measured(): void {
    const { state } = connectionMetrics(this.#options.latest());
    if (this.#mode !== 'frequency' && state !== this.#told) this.#tell();
  }

  #arm(): void {
    if (!this.#isMeasuring || !this.#listener || this.#mode !== 'frequency') return;
    this.#dispatch = this.#options.clock.every(TIMES.qualityDispatchMs, () => this.#tell());
  }

  #tell(): void {
    const metrics = connectionMetrics(this.#options.latest());
    this.#told = metrics.state;
    callHost(this.#options.log, 'the connection quality listener', this.#listener, metrics);
  }
}
