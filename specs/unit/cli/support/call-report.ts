/** The report of a faultless call of ten seconds, and its parts, which tests change. */
import type { AudioReading, CallReport, Second, VideoReading } from '../../../../cli/headless/messages.ts';

export const connection = {
  audioCodec: 'opus',
  videoCodec: 'VP8',
  candidatePair: { local: 'host', remote: 'host', protocol: 'udp' },
};

export const audioReading = (more: Partial<AudioReading> = {}): AudioReading => ({
  ...{ ok: true, tone: 660, share: 1, windows: 50, carried: 50, silent: 0, level: -20, loss: 0.0042 },
  ...{ expectedMs: 10_000, offMs: 0, heldMs: 0, heardMs: 9_900, silentMs: 100, endSilenceMs: 0, ...more },
});

export const videoReading = (more: Partial<VideoReading> = {}): VideoReading => ({
  ...{ ok: true, frames: 240, fps: 24, width: 320, height: 240, markers: 240, rising: 239, steps: 239, missed: 0 },
  ...{ moved: 239, freezes: 0, longestGapMs: 60, expectedMs: 10_000, offMs: 0, heldMs: 0, seenMs: 10_000 },
  ...{ endGapMs: 20, loss: 0, ...more },
});

export const callReport = (more: Partial<CallReport> = {}): CallReport => ({
  ...{ result: 'completed', callId: 'c1', role: 'caller', user: 'alice', peer: 'bob', video: true, endedBy: 'alice' },
  duration: 10_012,
  sent: { audio: { tone: 440, packets: 500, bytes: 1 } },
  received: { audio: audioReading(), video: videoReading() },
  connection,
  quality: { loss: 0.0042, rtt: 1.4, jitter: 2, mos: 4.4 },
  seconds: {
    ...{ count: 10, jitter: null, rtt: null, videoLoss: null },
    mos: { p50: 4.4, p95: 4.3, worst: 4.1, worstAtMs: 3_000 },
    loss: { p50: 0, p95: 0.001, worst: 0.02, worstAtMs: 3_000 },
    fps: { p50: 24, p95: 23.5, worst: 22, worstAtMs: 7_000 },
  },
  reconnections: 0,
  timings: { ringing: 100, connected: 1_300 },
  errors: [],
  ...more,
});

/** The tenth of a call's seconds. */
export const secondOf = (audio: Partial<Second['audio']> = {}, video?: Partial<Second['video']>): Second => ({
  endMs: 10_000,
  ms: 1_000,
  audio: {
    ...{ state: 'due', tone: 660, carried: 1, level: -20, silentMs: 0, loss: 0.0042, jitter: 2, mos: 4.4, ...audio },
  },
  video: {
    ...{ state: 'due', frames: 24, fps: 24, width: 320, height: 240, markers: 24, hasGoodMarkers: true, moved: 24 },
    ...{ freezes: 0, stillMs: 0, loss: 0, ...video },
  },
  rtt: 1.4,
});
