/** The account of the media that arrives from one side: its measurements while it runs, and the figures at the end. */
import { audioMeasures } from '../../src/calls/stats/audio-measures.ts';
import type { CallStats } from '../../src/calls/stats/call-stats.ts';
import { readStats } from '../../src/calls/stats/read-stats.ts';
import { StatsEntries, type StatsEntry, type StatsReport } from '../../src/calls/stats/stats-report.ts';
import type { MeasuredView } from './measured-view.ts';
import { CallFigures } from './measuring/call-figures.ts';
import type { Arrived } from './measuring/stream-loss.ts';
import type { CallReport, ConnectionReport, MediaState, Second } from './messages.ts';

/** Whether the other side must send sound and a picture now. */
export interface MediaStates {
  readonly audio: MediaState;
  readonly video: MediaState;
}

/** The statistics of one moment. */
interface Sample {
  readonly pc: RTCPeerConnection;
  readonly stats: CallStats;
  readonly report: StatsReport;
}

/** A rest at the end of a call is not measured when it is shorter than this, milliseconds. */
const SHORTEST_MS = 200;
const DUE: MediaStates = { audio: 'due', video: 'due' };

export class MediaAccount {
  readonly #view: MeasuredView;
  readonly #now: () => number;
  /** The last statistics, and those at the end of the last second, against which the next one is measured. */
  #sample: Sample | null = null;
  #boundary: Sample | null = null;
  /** Null before the media begins. */
  #figures: CallFigures | null = null;
  #beganAt = 0;
  #secondAt = 0;
  #states = DUE;

  constructor(view: MeasuredView, now: () => number) {
    this.#view = view;
    this.#now = now;
  }

  /** The last statistics. Null before the first ones. */
  get stats(): CallStats | null {
    return this.#sample?.stats ?? null;
  }

  /** Records that the media begins. Seconds are measured from now on. */
  begin(hasVideo: boolean): void {
    this.#figures = new CallFigures(hasVideo);
    this.#beganAt = this.#now();
    this.#secondAt = this.#beganAt;
    this.#view.turn(this.#beganAt);
  }

  /** Records what the other side must send. A second with a time in which it need not send is not judged. */
  expects({ audio, video }: MediaStates): void {
    this.#states = { audio: laxer(this.#states.audio, audio), video: laxer(this.#states.video, video) };
  }

  /** Reads the statistics of `pc` now. A closed connection has none, so the last sample remains valid. */
  async takeSample(pc: RTCPeerConnection | null): Promise<Sample | null> {
    if (!pc || pc.connectionState === 'closed') return null;
    try {
      const report = await pc.getStats();
      const previous = this.#boundary?.pc === pc ? this.#boundary.stats : null;
      this.#sample = { pc, report, stats: readStats(report, this.#now(), previous) };
      return this.#sample;
    } catch {
      // The connection closed during the request.
      return null;
    }
  }

  /**
   * Ends a second. Returns its figures. Null before the media begins, and for a rest that is too short.
   *
   * @param sample - the statistics at this moment. Null without any.
   */
  endSecond(sample: Sample | null, states: MediaStates): Second | null {
    const at = this.#now();
    const ms = at - this.#secondAt;
    if (!this.#figures || ms < SHORTEST_MS) return null;
    this.expects(states);
    const { audio, video } = this.#states;
    const { heard, seen } = this.#view.turn(at);
    const stats = sample?.stats;
    const second = this.#figures.add({
      endMs: Math.round(at - this.#beganAt),
      ms: Math.round(ms),
      audio: { state: audio, heard, arrived: arrivedIn(sample, 'audio') },
      video: { state: video, seen, arrived: arrivedIn(sample, 'video') },
      path: {
        jitter: stats?.audio.received?.jitter ?? null,
        rtt: (stats && audioMeasures(stats).roundTripTime) ?? null,
        remoteJitter: (stats && audioMeasures(stats).jitter) ?? null,
      },
    });
    if (video !== 'due') this.#view.rest(at);
    this.#secondAt = at;
    this.#boundary = sample ?? this.#boundary;
    this.#states = states;
    return second;
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

  /** Returns the figures of all seconds. Without media, `received` is empty. */
  figures(): Pick<CallReport, 'received' | 'quality' | 'seconds'> {
    const figures = this.#figures ?? new CallFigures(false);
    return { received: this.#figures?.received() ?? {}, quality: figures.quality(), seconds: figures.seconds() };
  }
}

const LAXNESS: Readonly<Record<MediaState, number>> = { due: 0, off: 1, held: 2 };
const laxer = (one: MediaState, other: MediaState): MediaState => (LAXNESS[one] >= LAXNESS[other] ? one : other);

/** Milliseconds from the last packet to the report. Null before the first packet. */
function sinceLast(stream: StatsEntry | null): number | null {
  if (!stream || stream.count('packetsReceived') === 0) return null;
  const at = stream.number('timestamp') ?? 0;
  // Some engines do not report the time of a packet; then a new packet counts as just arrived. The report may be a
  // little
  // older than the packet.
  return Math.max(0, at - (stream.number('lastPacketReceivedTimestamp') ?? at));
}

/** Returns what arrived on a stream since the previous second. */
function arrivedIn(sample: Sample | null, kind: 'audio' | 'video'): Arrived | null {
  if (!sample) return null;
  const recent = sample.stats[kind].received?.recent;
  if (!recent) return { packets: 0, lost: 0, sinceLastMs: null };
  const stream = new StatsEntries(sample.report).stream('inbound-rtp', kind);
  return {
    packets: recent.packets,
    lost: recent.packetsLost,
    sinceLastMs: sinceLast(stream),
  };
}
