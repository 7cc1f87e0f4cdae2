/** The account of one call: what is measured while it runs, and the report when it is over. */
import { lossRate, type CallStats } from '../../src/calls/stats/call-stats.ts';
import { meanMos } from '../../src/calls/stats/mos.ts';
import { readStats } from '../../src/calls/stats/read-stats.ts';
import type { MeasuredView } from './measured-view.ts';
import type { Assignment, CallReport, ConnectionReport, QualityReport } from './messages.ts';

export type Step = Exclude<keyof CallReport['timings'], 'firstFrame'>;

/** What is known of a call once it has ended. */
export type CallOutcome = Pick<CallReport, 'result' | 'callId' | 'role' | 'peer' | 'video' | 'endedBy' | 'duration'>;

export class CallAccount {
  readonly #assignment: Assignment;
  readonly #view: MeasuredView;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #timings: CallReport['timings'] = {};
  readonly #errors: CallReport['errors'] = [];
  readonly #mos: number[] = [];
  #sample: { readonly pc: RTCPeerConnection; readonly stats: CallStats } | null = null;
  #reconnections = 0;

  constructor(assignment: Assignment, view: MeasuredView, now: () => number) {
    this.#assignment = assignment;
    this.#view = view;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Notes when a step was reached; returns the milliseconds since the call began. */
  reached(step: Step): number {
    const afterMs = this.#since(this.#now());
    this.#timings[step] ??= afterMs;
    return afterMs;
  }

  reconnected(): void {
    this.#reconnections += 1;
  }

  failed(error: CallReport['errors'][number]): void {
    this.#errors.push(error);
  }

  /** Reads the statistics of `pc` now. A closed one has none any more: the last sample then stands. */
  async takeSample(pc: RTCPeerConnection | null): Promise<void> {
    if (!pc || pc.connectionState === 'closed') return;
    try {
      const report = await pc.getStats();
      const previous = this.#sample?.pc === pc ? this.#sample.stats : null;
      const stats = readStats(report, this.#now(), previous);
      this.#sample = { pc, stats };
      if (stats.mos !== null) this.#mos.push(stats.mos);
    } catch {
      // Closed while it was asked.
    }
  }

  received(): CallReport['received'] {
    return this.#view.reading();
  }

  connection(): ConnectionReport {
    const stats = this.#sample?.stats;
    const transport = stats?.transport;
    return {
      audioCodec: stats?.audio.received?.codec ?? stats?.audio.sent?.codec ?? null,
      videoCodec: stats?.video.received?.codec ?? stats?.video.sent?.codec ?? null,
      candidatePair:
        transport?.candidateType && transport.remoteCandidateType && transport.protocol
          ? {
              local: transport.candidateType,
              remote: transport.remoteCandidateType,
              protocol: transport.protocol,
              ...(transport.relayProtocol === null ? {} : { relayProtocol: transport.relayProtocol }),
            }
          : null,
    };
  }

  /** Loss over the whole call, the rest as last measured; the mean opinion score is the mean of all. */
  quality(): QualityReport {
    const stats = this.#sample?.stats;
    const streams = [stats?.audio.received, stats?.video.received].filter((one) => one !== null && one !== undefined);
    const total = (field: 'packets' | 'packetsLost') => streams.reduce((sum, one) => sum + one[field], 0);
    return {
      loss: lossRate({ packets: total('packets'), packetsLost: total('packetsLost') }) ?? 0,
      rtt: stats?.transport.roundTripTime ?? stats?.audio.sent?.reported?.roundTripTime ?? null,
      jitter: stats?.audio.received?.jitter ?? null,
      mos: meanMos(this.#mos),
    };
  }

  /** Whole milliseconds from the call's beginning. */
  #since(at: number): number {
    return Math.max(0, Math.round(at - this.#startedAt));
  }

  report(outcome: CallOutcome): CallReport {
    const { media, userId } = this.#assignment;
    const stats = this.#sample?.stats;
    const volume = (sent: { packets: number; bytes: number } | null | undefined) => ({
      packets: sent?.packets ?? 0,
      bytes: sent?.bytes ?? 0,
    });
    const firstFrame = this.#view.firstFrameAt;
    return {
      ...outcome,
      user: userId,
      sent: {
        audio: { tone: media.tone, ...volume(stats?.audio.sent) },
        ...(outcome.video
          ? { video: { width: media.width, height: media.height, fps: media.fps, ...volume(stats?.video.sent) } }
          : {}),
      },
      received: this.received(),
      connection: this.connection(),
      quality: this.quality(),
      reconnections: this.#reconnections,
      timings: {
        ...this.#timings,
        ...(firstFrame === null ? {} : { firstFrame: this.#since(firstFrame) }),
      },
      errors: this.#errors,
    };
  }
}
