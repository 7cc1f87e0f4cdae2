import { callSummary } from '../stats/summary.ts';
import { QualityMonitor } from '../stats/quality-monitor.ts';
import { StatsSampler, type StatsInterval } from '../stats/sampler.ts';
import { browserType } from '../stats/browser-type.ts';
import { statsLog } from '../stats/stats-log.ts';
import type { StatsSource } from '../stats/stats-report.ts';
import type { CallIdentity } from './call-identity.ts';
import type { CallRecord } from './call-record.ts';
import type { LegDeps } from './leg-deps.ts';
import { summaryWanted } from './table.ts';

type Deps = Pick<LegDeps, 'platform' | 'log' | 'settings' | 'sendStatsLog' | 'sendSummary'>;

/** The statistics of one leg of a call. The host gets them during the call, the exchange during and after it. */
export class LegStats {
  readonly quality: QualityMonitor;
  readonly #identity: CallIdentity;
  readonly #record: CallRecord;
  readonly #deps: Deps;
  readonly #sampler: StatsSampler;

  constructor(identity: CallIdentity, record: CallRecord, deps: Deps) {
    const { platform, log, settings } = deps;
    this.#identity = identity;
    this.#record = record;
    this.#deps = deps;
    this.quality = new QualityMonitor({ clock: platform.clock, log, latest: () => this.#sampler.latest });
    this.#sampler = new StatsSampler({
      clock: platform.clock,
      log,
      statsInterval: settings.statsIntervalSeconds,
      onSample: () => this.quality.measured(),
      onInterval: (interval) => this.#sendLog(interval),
    });
  }

  /** True when media took a relay at the last sample. */
  get isRelayed(): boolean {
    return this.#sampler.latest?.transport.candidateType === 'relay';
  }

  /** Measures this connection from now on, in place of the former one. */
  start(connection: StatsSource): void {
    this.#sampler.start(connection);
    this.quality.start();
  }

  stop(): void {
    this.#sampler.stop();
    this.quality.stop();
  }

  /**
   * Sends the summary of an ended call. Sends nothing when the call never began, or continued on another device (§4).
   */
  sendSummary(): void {
    const { callId, role, isVideoCall } = this.#identity;
    const { result } = this.#record;
    if (result === null || !summaryWanted(result) || callId === '') return;
    const body = callSummary(
      {
        role,
        endResult: result,
        isVideoCall,
        dialedAt: this.#record.when('dialed'),
        rungAt: this.#record.when('ringing'),
        acceptedAt: this.#record.when('accepted'),
        connectedAt: this.#record.when('connected'),
        reconnectionCount: this.#record.reconnections,
      },
      this.#sampler,
    );
    this.#deps
      .sendSummary(callId, body)
      .catch((error: unknown) => this.#deps.log.error('the summary was not sent', { error }));
  }

  /** Sends a stats log in the background. A failure has no effect (DC-60). */
  #sendLog(interval: StatsInterval): void {
    const { callId, role, caller, callee, isVideoCall } = this.#identity;
    const { platform, log, sendStatsLog } = this.#deps;
    const facts = {
      browser_type: browserType(platform.environment.userAgent),
      call_id: callId,
      device_timestamp: platform.clock.wallTime(),
      role,
      caller_id: caller.userId,
      callee_id: callee.userId,
      is_video_call: isVideoCall,
    };
    sendStatsLog(statsLog(facts, interval)).catch((error: unknown) =>
      log.warning('the statistics were not sent', { error }),
    );
  }
}
