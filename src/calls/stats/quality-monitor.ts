import { invalidType, invalidValue } from '../../protocol/errors.ts';
import { TIMES } from '../../protocol/limits.ts';
import { isEmpty, requireText } from '../host/checks.ts';
import { ConnectionQualityMonitoringMode, type ConnectionQualityState } from '../host/public-enumerations.ts';
import { callHost } from '../host/call-host.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import { audioMeasures } from './audio-measures.ts';
import type { CallStats } from './call-stats.ts';
import { qualityOf } from './quality.ts';

/** The quality of the connection of a call in the last second (§4). A value is undefined while no audio arrives. */
export interface ConnectionMetrics {
  /** The band of `mos`, a ConnectionQualityState. `unavailable` without a score. */
  readonly state: ConnectionQualityState;
  /** The mean opinion score of the audio, from 1 (bad) to 4.5 (excellent), with one decimal. */
  readonly mos: number | undefined;
  /** The share of lost audio packets among the expected ones, from 0 to 1. */
  readonly packetsLostRate: number | undefined;
  /** The round-trip time, in milliseconds. */
  readonly rtt: number | undefined;
  /** The jitter of the audio, in milliseconds: as the remote client reports it, else as measured here. */
  readonly jitter: number | undefined;
}

export type ConnectionQualityListener = (metrics: ConnectionMetrics) => void;

export interface QualityMonitorOptions {
  readonly clock: Pick<Clock, 'every'>;
  readonly log: Pick<Logger, 'error'>;
  /** Returns the latest measurement of the connection in use. Null before the first. */
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

/** A monitor that reports the quality of a connection to the host: every 3 seconds, or when it changes (§4, §9). */
export class QualityMonitor {
  readonly #options: QualityMonitorOptions;
  #isMeasuring = false;
  #listener: ConnectionQualityListener | null = null;
  #mode: ConnectionQualityMonitoringMode = 'frequency';
  #dispatch: Timer | null = null;
  /** The last state that the listener got. A new listener has got none. */
  #told: ConnectionQualityState = 'unavailable';

  constructor(options: QualityMonitorOptions) {
    this.#options = options;
  }

  /**
   * Sets the listener. It replaces the former one.
   *
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for `mode` or `listener`.
   */
  listen(mode: ConnectionQualityMonitoringMode, listener: ConnectionQualityListener): void {
    // The documents do not spell the modes out. Capitals and underscores are accepted too.
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

  /** Starts the reports. Statistics are measured from now on. */
  start(): void {
    if (this.#isMeasuring) return;
    this.#isMeasuring = true;
    this.#arm();
  }

  /** Ends the reports after the end of the call. */
  stop(): void {
    this.#isMeasuring = false;
    this.remove();
  }

  /** Reports a change of the state after a measurement. */
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
