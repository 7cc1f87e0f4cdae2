import { describe, expect, test } from 'vitest';
import { contradiction, type Wanted } from '../../../cli/arguments/wanted.ts';
import { judge } from '../../../cli/requirements.ts';
import { END_RESULTS } from '../../../src/protocol/enumerations.ts';
import { audioReading, callReport, videoReading } from './support/call-report.ts';

const NOTHING: Wanted = { require: [] };
const BOTH: Wanted = { require: ['audio', 'video'] };

describe('the requirements of a call', () => {
  test('without requirements there is no result', () => {
    expect(judge(callReport(), NOTHING)).toEqual([]);
  });

  test('received media, a score and a setup time within their bounds meet them', () => {
    const report = callReport({ quality: { loss: 0, rtt: 1, jitter: 2, mos: 3.5 }, timings: { connected: 3_000 } });
    const met = judge(report, { ...BOTH, minMos: 3.5, maxSetupMs: 3_000 });
    expect(met.map(({ name, ok, value, bound }) => [name, ok, value, bound])).toEqual([
      ['require audio', true, 0.99, 0.8],
      ['require video', true, 1, 0.8],
      ['min-mos', true, 3.5, 3.5],
      ['max-setup', true, 3_000, 3_000],
    ]);
  });

  test('each unmet requirement shows the measured value, and the bound', () => {
    const report = callReport({
      received: {
        audio: audioReading({ ok: false, heardMs: 1_000, expectedMs: 12_000 }),
        video: videoReading({ ok: false, seenMs: 0, expectedMs: 12_000 }),
      },
      quality: { loss: 0.9, rtt: 1, jitter: 2, mos: 1.3 },
      timings: { connected: 3_001 },
    });
    const unmet = judge(report, { ...BOTH, minMos: 3.5, maxSetupMs: 3_000 });
    expect(unmet.map(({ ok, message }) => [ok, message])).toEqual([
      [false, '--require audio: audio arrived for 1.0s of 12.0s (8.3%); at least 80% of the time is required.'],
      [false, '--require video: video arrived for 0.0s of 12.0s (0.0%); at least 80% of the time is required.'],
      [false, '--min-mos 3.5: the mean opinion score is 1.3; at least 3.5 is required.'],
      [false, '--max-setup 3s: the call connected after 3.001s; at most 3s is allowed.'],
    ]);
  });

  test('media that arrived all the time, but damaged, is reported with the damage', () => {
    const report = callReport({
      received: {
        audio: audioReading({ ok: false, carried: 30 }),
        video: videoReading({ ok: false, markers: 100, steps: 99, rising: 99 }),
      },
    });
    const says = judge(report, BOTH).map(({ message }) => message);
    expect(says[0]).toContain('but the tone carried 30 of 50 windows');
    expect(says[1]).toContain('but its marker was read in 100 of 240 frames and rose in 99 of 99 steps');
  });

  test('media that the other side did not have to send does not meet a requirement, with the reason', () => {
    const why = (report: Parameters<typeof callReport>[0], wanted: Wanted) =>
      judge(callReport(report), wanted).map(({ ok, message }) => [ok, message.split('; ')[0]]);
    const muted = { audio: audioReading({ ok: null, expectedMs: 0, heardMs: 0, offMs: 10_000 }) };
    expect(why({ received: muted }, { require: ['audio'] })).toEqual([
      [false, '--require audio: the other side did not have to send audio: it was muted, off or on hold'],
    ]);
    expect(why({ video: false, received: { audio: audioReading() } }, BOTH)[1]).toEqual([
      false,
      '--require video: it was a voice call, so no video arrived',
    ]);
    const never = { received: {}, timings: {}, quality: { loss: null, rtt: null, jitter: null, mos: null } };
    expect(why(never, { ...BOTH, minMos: 2, maxSetupMs: 500 })).toEqual([
      [false, '--require audio: the call never connected, so no audio arrived'],
      [false, '--require video: the call never connected, so no video arrived'],
      [false, '--min-mos 2: no sound was expected, so there is no score'],
      [false, '--max-setup 0.5s: the call never connected'],
    ]);
  });

  test('a call that is expected not to connect cannot have requirements', () => {
    const refused = END_RESULTS.filter((result) => contradiction({ require: ['audio'] }, result) !== null);
    expect(refused).toEqual(END_RESULTS.filter((one) => !['completed', 'connection_lost', 'unknown'].includes(one)));
    expect(contradiction(BOTH, 'declined')).toBe(
      '--require cannot be met with --expect declined: such a call never connects.',
    );
    expect(contradiction({ require: [], minMos: 2 }, 'no_answer')).toMatch(/^--min-mos cannot be met/);
    expect(contradiction({ require: [], maxSetupMs: 2 }, 'no_answer')).toMatch(/^--max-setup cannot be met/);
    expect(contradiction(BOTH, 'completed', '--decline')).toMatch(/^--require cannot be met with --decline/);
    expect(contradiction(NOTHING, 'declined', '--decline')).toBeNull();
  });
});
