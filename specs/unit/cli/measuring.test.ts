/** The figures of a call, from seconds that the test makes. */
import { describe, expect, test } from 'vitest';
import { CallFigures, type Measured } from '../../../cli/headless/measuring/call-figures.ts';
import { addWindow, emptySpan, soundOf } from '../../../cli/headless/measuring/sound-span.ts';
import { Spread } from '../../../cli/headless/measuring/spread.ts';
import { StreamLoss } from '../../../cli/headless/measuring/stream-loss.ts';
import type { MediaState } from '../../../cli/headless/messages.ts';

/** The media received in a second. Fields that are not named are as in a faultless call. */
interface Made {
  readonly ms?: number;
  readonly audio?: MediaState;
  readonly video?: MediaState;
  /** The tone of each of the five windows: hertz, `noise`, or 0 for silence. */
  readonly windows?: readonly (number | 'noise')[];
  readonly frames?: number;
  /** Whether the frames have the marker of the test picture, and otherwise whether they move. */
  readonly picture?: 'marker' | 'moving' | 'still';
  readonly packets?: number;
  readonly lost?: number;
  /** Milliseconds since the last packet. Null before the first. */
  readonly since?: number | null;
  readonly videoPackets?: number;
  readonly videoSince?: number | null;
  /** Milliseconds since the last frame. */
  readonly frameSince?: number;
  readonly hasStats?: boolean;
}

const TONE = [660, 660, 660, 660, 660];
const SILENCE = [0, 0, 0, 0, 0];

/** A second without any packet, with the time since the last one. */
const cut = (since: number | null): Made => ({
  windows: SILENCE,
  packets: 0,
  since,
  frames: 0,
  videoPackets: 0,
  videoSince: since,
  frameSince: since ?? 0,
});

function measured(made: Made, endMs: number): Measured {
  const heard = emptySpan();
  for (const tone of made.windows ?? TONE) {
    const frequency = tone === 'noise' ? null : tone;
    addWindow(heard, tone === 0 ? null : { frequency, share: tone === 'noise' ? 0.1 : 0.95, power: 0.01 });
  }
  const { frames = 24, picture = 'marker', hasStats = true } = made;
  const marked = picture === 'marker' ? frames : 0;
  const seen = {
    ...{ frames, fps: 0, width: 320, height: 240, markers: marked, rising: marked, steps: marked, missed: 0 },
    ...{ moved: picture === 'still' ? 0 : frames, freezes: 0, longestGapMs: made.frameSince ?? 42, ok: true },
    sinceLastMs: made.frameSince ?? 10,
  };
  const arrived = (packets: number, lost: number, since: number | null) =>
    hasStats ? { packets, lost, sinceLastMs: since } : null;
  return {
    endMs,
    ms: made.ms ?? 1_000,
    audio: {
      state: made.audio ?? 'due',
      heard,
      arrived: arrived(made.packets ?? 50, made.lost ?? 0, made.since === undefined ? 10 : made.since),
    },
    video: {
      state: made.video ?? 'due',
      seen,
      arrived: arrived(made.videoPackets ?? 60, 0, made.videoSince === undefined ? 10 : made.videoSince),
    },
    path: { jitter: 2, rtt: 4, remoteJitter: 3 },
  };
}

/** A call of these seconds. */
function callOf(series: readonly Made[], hasVideo = true) {
  const figures = new CallFigures(hasVideo);
  let endMs = 0;
  const seconds = series.map((made) => figures.add(measured(made, (endMs += made.ms ?? 1_000))));
  return { seconds, received: figures.received(), quality: figures.quality(), compared: figures.seconds() };
}

const times = (count: number, made: Made = {}): Made[] => Array.from({ length: count }, () => made);
/** Seconds without a packet, after the last one. */
const gap = (count: number): Made[] => Array.from({ length: count }, (_, at) => cut((at + 1) * 1_000));

describe('the figures of a call', () => {
  test('a call without a fault has the best values in every second and in total', () => {
    const { seconds, received, quality, compared } = callOf(times(10));
    expect(seconds[9]).toEqual({
      endMs: 10_000,
      ms: 1_000,
      audio: {
        ...{ state: 'due', tone: 660, carried: 1, level: -20, silentMs: 0, loss: 0, jitter: 2, mos: 4.4 },
      },
      video: {
        ...{ state: 'due', frames: 24, fps: 24, width: 320, height: 240, markers: 24, hasGoodMarkers: true },
        ...{ moved: 24, freezes: 0, stillMs: 10, loss: 0 },
      },
      rtt: 4,
    });
    expect(received.audio).toMatchObject({ ok: true, tone: 660, windows: 50, carried: 50, silentMs: 0, loss: 0 });
    expect(received.video).toMatchObject({ ok: true, fps: 24, frames: 240, seenMs: 10_000, loss: 0 });
    expect(quality).toEqual({ loss: 0, rtt: 4, jitter: 2, mos: 4.4 });
    expect(compared).toMatchObject({ count: 10, mos: { p50: 4.4, p95: 4.4, worst: 4.4 }, fps: { worst: 24 } });
  });

  test('a call with media in one of twelve seconds scores every later second as silence, and neither kind is ok', () => {
    const { seconds, received, quality, compared } = callOf([{}, ...gap(11)]);
    for (const { audio, video, rtt } of seconds.slice(1)) {
      expect(audio).toMatchObject({ tone: null, carried: 0, level: null, mos: 1, jitter: null });
      expect(video).toMatchObject({ frames: 0, fps: 0 });
      expect(rtt).toBeNull();
    }
    expect(seconds.slice(1).map(({ audio }) => audio.loss)).toEqual(times(11).map(() => 1));
    expect(seconds.map(({ audio }) => audio.silentMs)).toEqual(Array.from({ length: 12 }, (_, at) => at * 1_000));
    expect(received.audio).toMatchObject({
      ...{ ok: false, expectedMs: 12_000, heardMs: 1_000, silentMs: 11_000, endSilenceMs: 11_000 },
      loss: 0.9167,
    });
    expect(received.video).toMatchObject({ ok: false, fps: 2, seenMs: 1_000, endGapMs: 11_000, longestGapMs: 11_000 });
    expect(received.video?.loss).toBeCloseTo(11 / 12, 3);
    expect(quality).toEqual({ loss: 0.9167, rtt: 4, jitter: 2, mos: 1.3 });
    expect(compared.mos).toEqual({ p50: 1, p95: 1, worst: 1, worstAtMs: 2_000 });
    expect(compared.fps).toEqual({ p50: 0, p95: 0, worst: 0, worstAtMs: 2_000 });
  });

  test('media that never arrived is lost as a whole', () => {
    const { received, quality } = callOf(times(5, cut(null)));
    expect(received.audio).toMatchObject({
      ok: false,
      tone: null,
      level: null,
      heardMs: 0,
      endSilenceMs: 5_000,
      loss: 1,
    });
    expect(received.video).toMatchObject({ ok: false, frames: 0, seenMs: 0, loss: 1 });
    expect(quality).toMatchObject({ loss: 1, mos: 1 });
  });

  test('silence at the start counts, except the second in which decoders start', () => {
    const late = callOf([...times(3, cut(null)), ...times(9)]);
    expect(late.received.audio).toMatchObject({ ok: true, heardMs: 9_000, silentMs: 3_000, loss: 0.25 });
    const later = callOf([...times(4, cut(null)), ...times(8)]);
    expect(later.received.audio).toMatchObject({ ok: false, heardMs: 8_000 });
    expect(later.received.video).toMatchObject({ ok: false, seenMs: 8_000 });
    const soon = callOf([{ windows: [0, 0, 0, 660, 660] }, {}]);
    expect(soon.received.audio).toMatchObject({ ok: true, carried: 7, silent: 3 });
    expect(soon.seconds[0]?.audio.silentMs).toBe(0);
  });

  test('silence in the middle counts once, because the gap in the sequence after it is the same loss', () => {
    // The engine finds 150 packets missing where 3 s were silent, and 5 more.
    const { seconds, received } = callOf([...times(4), ...gap(3), { packets: 45, lost: 155 }, ...times(4)]);
    expect(seconds.map(({ audio }) => audio.loss)).toEqual([0, 0, 0, 0, 1, 1, 1, 0.1, 0, 0, 0, 0]);
    expect(received.audio).toMatchObject({ ok: false, heardMs: 9_000, silentMs: 3_000, endSilenceMs: 0 });
    expect(received.audio.loss).toBeCloseTo(3.1 / 12, 3);
  });

  test('silence at the end counts from the last packet on, also in a fraction of a second', () => {
    const stopping: Made = { windows: [660, 660, 0, 0, 0], packets: 20, since: 600, videoSince: 600 };
    const { seconds, received } = callOf([
      ...times(8),
      stopping,
      cut(1_600),
      { ...cut(2_000), ms: 400, windows: [0, 0] },
    ]);
    expect(seconds[8]?.audio).toMatchObject({ loss: 0.6, silentMs: 600, carried: 0.4 });
    expect(received.audio).toMatchObject({ ok: true, endSilenceMs: 2_000, expectedMs: 10_400, loss: 0.1923 });
    // Without statistics, as after the end of a call, the gap continues.
    const ended = callOf([...times(8), stopping, cut(1_600), { ...cut(0), ms: 400, windows: [0, 0], hasStats: false }]);
    expect(ended.received.audio).toMatchObject({ endSilenceMs: 2_000, loss: 0.1923 });
  });

  test('silent audio with packets scores as silence, and has no loss', () => {
    const { seconds, received, quality } = callOf(times(4, { windows: SILENCE }));
    expect(seconds[3]?.audio).toMatchObject({ loss: 0, mos: 1, silentMs: 4_000, jitter: 2 });
    expect(received.audio).toMatchObject({ ok: false, loss: 0 });
    expect(quality.mos).toBe(1);
  });

  test('a call with video in one direction has ok audio, and video that is not ok', () => {
    const { seconds, received, quality } = callOf(
      times(6, { frames: 0, videoPackets: 0, videoSince: null, frameSince: 9 }),
    );
    expect(received.audio).toMatchObject({ ok: true, loss: 0 });
    expect(received.video).toMatchObject({ ok: false, frames: 0, loss: 1 });
    expect(seconds[5]?.video).toMatchObject({ frames: 0, loss: 1 });
    expect(quality).toMatchObject({ loss: 0, mos: 4.4 });
  });

  test('loss in bursts counts in its second, and the worst second is named', () => {
    const burst: Made = { packets: 30, lost: 20 };
    const { seconds, received, compared } = callOf([...times(4), burst, ...times(4), burst, ...times(10)]);
    expect(seconds.map(({ audio }) => audio.loss).filter((loss) => loss !== 0)).toEqual([0.4, 0.4]);
    expect(seconds[4]?.audio.mos).toBeLessThan(2.5);
    expect(seconds[5]?.audio.mos).toBe(4.4);
    expect(received.audio).toMatchObject({ ok: true, loss: 0.04 });
    expect(compared.loss).toEqual({ p50: 0, p95: 0.4, worst: 0.4, worstAtMs: 5_000 });
    expect(compared.mos).toMatchObject({ p50: 4.4, worstAtMs: 5_000 });
  });

  test('the seconds of a held call are not scored', () => {
    const held = gap(5).map((made): Made => ({ ...made, audio: 'held', video: 'held' }));
    // The packets missing during the hold are no loss of the second after it.
    const { seconds, received, quality, compared } = callOf([
      ...times(4),
      ...held,
      { packets: 45, lost: 0, since: 10 },
    ]);
    expect(seconds[6]?.audio).toMatchObject({ state: 'held', loss: null, mos: null, silentMs: 0 });
    expect(seconds[6]?.video).toMatchObject({ state: 'held', loss: null, stillMs: 0 });
    expect(received.audio).toMatchObject({ ok: true, expectedMs: 5_000, heldMs: 5_000, silentMs: 0, loss: 0 });
    expect(received.video).toMatchObject({ ok: true, expectedMs: 5_000, heldMs: 5_000, fps: 24, endGapMs: 10 });
    expect(quality.mos).toBe(4.4);
    expect(compared.mos).toMatchObject({ worst: 4.4 });
    // Silence that continues after the hold is a loss.
    const silent = callOf([...times(4), ...held, cut(6_000), cut(7_000)]);
    expect(silent.seconds[9]?.audio).toMatchObject({ loss: 1, mos: 1, silentMs: 1_000 });
    expect(silent.received.audio).toMatchObject({ ok: false, expectedMs: 6_000, loss: 0.3333 });
  });

  test('a muted microphone and a camera that is off are no fault', () => {
    const muted: Made = { audio: 'off', windows: SILENCE };
    const { seconds, received, quality } = callOf([...times(2), ...times(8, muted)]);
    expect(seconds[5]?.audio).toMatchObject({ state: 'off', mos: null, silentMs: 0 });
    expect(received.audio).toMatchObject({ ok: true, expectedMs: 2_000, offMs: 8_000, carried: 10, windows: 10 });
    expect(received.video).toMatchObject({ ok: true, expectedMs: 10_000 });
    expect(quality.mos).toBe(4.4);
    const mutedAll = callOf(times(5, { ...muted, video: 'off' }));
    expect(mutedAll.received.audio).toMatchObject({ ok: null, expectedMs: 0, offMs: 5_000, loss: null });
    expect(mutedAll.received.video).toMatchObject({ ok: null, expectedMs: 0, seenMs: 0, loss: null });
    expect(mutedAll.quality).toEqual({ loss: null, rtt: 4, jitter: 2, mos: null });
  });

  test('audio without a tone is ok while it arrives, also with pauses of speech', () => {
    const speech: Made = { windows: ['noise', 0, 'noise', 0, 0], picture: 'moving' };
    const { seconds, received } = callOf(times(10, speech));
    expect(seconds[4]?.audio).toMatchObject({ tone: null, level: -20, mos: 4.4 });
    expect(received.audio).toMatchObject({ ok: true, tone: null, level: -20, carried: 0 });
    expect(received.video).toMatchObject({ ok: true, markers: 0 });
  });

  test('a tone with gaps is not ok, although each second has a part of it', () => {
    const { seconds, received } = callOf(times(10, { windows: [660, 660, 0, 0, 660] }));
    expect(seconds[4]?.audio).toMatchObject({ carried: 0.6 });
    expect(received.audio).toMatchObject({ ok: false, tone: 660, carried: 30, windows: 50, heardMs: 10_000 });
  });

  test('a frozen picture is not ok', () => {
    expect(callOf(times(5, { picture: 'still' })).received.video).toMatchObject({ ok: false, frames: 120, seenMs: 0 });
  });

  test('a voice call has no video, and a fraction below half a second is not compared', () => {
    const { seconds, received, quality, compared } = callOf([...times(3), { ...cut(400), ms: 400 }], false);
    expect(quality.mos).toBe(4.4);
    expect(seconds[0]).not.toHaveProperty('video');
    expect(received).not.toHaveProperty('video');
    expect(compared).toMatchObject({ count: 3, mos: { worst: 4.4 }, fps: null, videoLoss: null });
    expect(callOf([]).received.audio).toMatchObject({ ok: null, loss: null });
    expect(callOf([]).compared).toMatchObject({ count: 0, mos: null });
  });
});

describe('the parts of the figures', () => {
  test('a short pause counts as lost once it is long enough for a cut', () => {
    const loss = new StreamLoss({ cutAfterMs: 1_500 });
    expect(loss.take(1_000, { packets: 5, lost: 0, sinceLastMs: 0 }, true)).toBe(0);
    expect(loss.take(1_000, { packets: 0, lost: 0, sinceLastMs: 1_000 }, false)).toBeNull();
    expect(loss.total).toBe(0);
    expect(loss.take(1_000, { packets: 0, lost: 0, sinceLastMs: 2_000 }, false)).toBe(1);
    expect(loss.total).toBe(0.6667);
  });

  test('half of the seconds reach p50 and 95 of 100 reach p95, for figures where high or low is better', () => {
    const [high, low] = [new Spread('high', 0.1), new Spread('low', 1)];
    for (let at = 1; at <= 100; at += 1) {
      high.add(at / 10, at);
      low.add(at, at);
    }
    high.add(null, 101);
    expect(high.figures()).toEqual({ p50: 5.1, p95: 0.6, worst: 0.1, worstAtMs: 1 });
    expect(low.figures()).toEqual({ p50: 50, p95: 95, worst: 100, worstAtMs: 100 });
  });

  test('audio with ever new frequencies stores a bounded list of them', () => {
    const span = emptySpan();
    for (let at = 0; at < 1_000; at += 1) addWindow(span, { frequency: 80 + at * 7, share: 0.6, power: 0.01 });
    expect(span.tones.length).toBe(200);
    expect(soundOf(span)).toMatchObject({ tone: null, carried: 0 });
  });
});
