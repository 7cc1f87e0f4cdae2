import { describe, expect, test } from 'vitest';
import type { Second } from '../../../cli/headless/messages.ts';
import { chooseReporter } from '../../../cli/reporters/choose.ts';
import { candidatePair, qualityLine, reportLines, secondLines } from '../../../cli/reporters/format.ts';
import { createPaint } from '../../../cli/reporters/paint.ts';
import type { WaitReason } from '../../../cli/explain-wait.ts';
import type { ShownEvent } from '../../../cli/reporters/reporter.ts';
import { audioReading, callReport, connection, secondOf, videoReading } from './support/call-report.ts';

const report = callReport();
const call: ShownEvent[] = [
  { type: 'ready' },
  { type: 'dialing', peer: 'bob', video: true },
  { type: 'ringing', afterMs: 100 },
  { type: 'established', afterMs: 1_200 },
  { type: 'connected', afterMs: 1_300, connection },
  { type: 'measured', second: { ...secondOf(), endMs: 1_000 } },
  { type: 'reconnecting' },
  { type: 'reconnected' },
  { type: 'ended', report, requirements: [] },
];

const SUMMARY = [
  'in  audio tone 660 Hz ok  loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
  'in  video 24.0 fps 320x240  240 frames  marker ok  freezes 0  loss 0.0%',
  '10 seconds  mos p50 4.4 p95 4.3 worst 4.1 at 3.0s  loss p50 0.0% p95 0.1% worst 2.0% at 3.0s  fps p50 24.0 p95 23.5 worst 22.0 at 7.0s',
];

function shown(
  events: ShownEvent[],
  options: { json?: boolean; isTTY?: boolean; columns?: number; env?: Record<string, string> } = {},
) {
  let out = '';
  let err = '';
  const output = {
    out: {
      write: (text: string) => (out += text),
      ...(options.isTTY ? { isTTY: true, columns: options.columns ?? 100 } : {}),
    },
    err: { write: (text: string) => (err += text) },
  };
  const reporter = chooseReporter(output, options.json ?? false, options.env ?? {});
  for (const event of events) reporter.event(event);
  return { reporter, read: () => ({ out, err }) };
}

describe('reporters', () => {
  test('print a line for each event, without colour, when there is no terminal', () => {
    const { out, err } = shown(call).read();
    expect(out.split('\n')).toEqual([
      'dialing bob...',
      'ringing 0.1s',
      'accepted 1.2s',
      'connected 1.3s  host/udp  VP8  opus',
      '1.0s  in  audio tone 660 Hz ok  loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
      '1.0s  in  video 24.0 fps 320x240  marker ok  freezes 0  loss 0.0%',
      'reconnecting...',
      'reconnected',
      ...SUMMARY,
      'ended by alice: completed, 10.0s',
      '',
    ]);
    expect(err).toBe('');
  });

  test('print with --json one object at the end on stdout, and the progress on stderr', () => {
    const { out, err } = shown(call, { json: true, isTTY: true }).read();
    expect(out.endsWith('\n')).toBe(true);
    expect(JSON.parse(out)).toEqual({ ...report, requirements: [] });
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(err.split('\n')).toEqual([
      'dialing bob...',
      'ringing 0.1s',
      'accepted 1.2s',
      'connected 1.3s  host/udp  VP8  opus',
      'reconnecting...',
      'reconnected',
      '',
    ]);
  });

  test('a failure is one line on stderr, and an object in JSON', () => {
    const lines = shown([]);
    lines.reporter.failed({ message: 'No exchange.', code: 1_800_200 });
    expect(lines.read()).toEqual({ out: '', err: 'No exchange.\n' });
    const json = shown([], { json: true });
    json.reporter.failed({ message: 'No exchange.', code: 1_800_200 });
    expect(JSON.parse(json.read().out)).toEqual({
      result: null,
      errors: [{ code: 1_800_200, message: 'No exchange.' }],
    });
    expect(json.read().err).toBe('No exchange.\n');
  });

  test.each([{}, { isTTY: true }, { json: true }])('%j: no hint or failure has an escape of a terminal', (options) => {
    const failed = callReport({ result: 'dial_failed', errors: [{ message: 'no \u001B[2J\u202E' }] });
    const { reporter, read } = shown([{ type: 'ended', report: failed, requirements: [] }], options);
    reporter.failed({ message: 'No \u009B2J.' });
    expect(read().err).toMatch(/failed: no \\u\{1b\}\[2J\\u\{202e\}\n[^]*No \\u\{9b\}2J\.\n$/);
    expect(read().err).not.toMatch(/[^\P{C}\n]/u);
  });

  test.each([
    [1_400_103, 'The exchange knows no user bob: "ringback users" lists its users.'],
    [1_400_106, 'start "ringback answer --as bob" first'],
    [1_400_999, 'The call to bob failed: ERR_SERVER_INTERNAL_ERROR (1400999)'],
  ])('a dial that failed with %i prints the remedy on stderr', (code, advice) => {
    const failed = callReport({
      ...{ result: 'dial_failed', endedBy: null, duration: 0, received: {} },
      errors: [{ code, name: 'ERR_SERVER_INTERNAL_ERROR', message: '' }],
    });
    for (const json of [false, true]) {
      const { err } = shown([{ type: 'ended', report: failed, requirements: [] }], { json }).read();
      expect(err).toContain(advice);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
    expect(shown([{ type: 'ended', report, requirements: [] }]).read().err).toBe('');
  });

  test('redraw their lines in place on a terminal, never wider than the terminal', () => {
    const { out } = shown(call, { isTTY: true }).read();
    const [, last] = out.split(/\u001B\[\d+A\r\u001B\[J(?!.*\u001B\[\d+A)/s) as [string, string];
    const plain = last.replaceAll(/\u001B\[\d+m/g, '');
    expect(plain.split('\n')).toEqual([
      'dialing bob... ringing 0.1s... accepted 1.2s... connected 1.3s  host/udp  VP8  opus',
      ...SUMMARY.map((line) => ` ${line}`),
      ' ended by alice: completed, 10.0s',
      '',
    ]);
  });

  test('no line wraps on a narrow terminal, because that would break the redrawing', () => {
    const redrawn = call.filter(({ type }) => type !== 'ended');
    const { out } = shown(redrawn, { isTTY: true, columns: 40, env: { NO_COLOR: '1' } }).read();
    const lines = out.replaceAll(/\u001B\[\d*[AJ]/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.replace('\r', '').length))).toBe(39);
  });

  test('NO_COLOR and a dumb terminal are obeyed', () => {
    expect(shown(call, { isTTY: true, env: { NO_COLOR: '1' } }).read().out).not.toMatch(/\u001B\[\d+m/);
    expect(shown(call, { isTTY: true, env: { TERM: 'dumb' } }).read().out).not.toContain('\u001B');
    expect(createPaint(true, {}).line('tone ok')).toContain('\u001B[32m');
    expect(createPaint(false, {}).line('tone ok')).toBe('tone ok');
  });

  test('a candidate pair names both kinds when they differ, and the transport of a relay', () => {
    const pair = (local: string, remote: string, relayProtocol?: string) =>
      candidatePair({
        ...connection,
        candidatePair: { local, remote, protocol: 'udp', ...(relayProtocol ? { relayProtocol } : {}) },
      });
    expect(pair('host', 'host')).toBe('host/udp');
    expect(pair('host', 'prflx')).toBe('host-prflx/udp');
    expect(pair('relay', 'relay', 'tcp')).toBe('relay/tcp');
    expect(candidatePair({ ...connection, candidatePair: null })).toBe('no candidate pair');
  });

  test('the last line of a call is complete on a narrow terminal, because no update redraws it', () => {
    const { out } = shown(call, { isTTY: true, columns: 40, env: { NO_COLOR: '1' } }).read();
    for (const line of SUMMARY) expect(out).toContain(line);
  });

  test('an unmet requirement of a call is a line on stderr, and an object in JSON', () => {
    const unmet = { name: 'min-mos', ok: false, value: 1.3, bound: 3.5, message: 'The score is 1.3.' };
    const met = { name: 'max-setup', ok: true, value: 900, bound: 3_000, message: 'It connected in 0.9s.' };
    const events: ShownEvent[] = [{ type: 'ended', report, requirements: [unmet, met] }];
    expect(shown(events).read().err).toBe('The score is 1.3.\n');
    expect(shown(events, { isTTY: true }).read().err).toBe('The score is 1.3.\n');
    const json = shown(events, { json: true }).read();
    expect(json.err).toBe('The score is 1.3.\n');
    expect(JSON.parse(json.out)).toMatchObject({ result: 'completed', requirements: [unmet, met] });
  });

  test('an error without a message has words in JSON', () => {
    const errors = [{ code: 1_400_103, name: 'ERR_CALLEE_DOES_NOT_EXIST', message: '' }];
    const failed = { ...report, result: 'dial_failed', peer: 'zoe', errors } as typeof report;
    const json = shown([{ type: 'ended', report: failed, requirements: [] }], { json: true }).read();
    expect(JSON.parse(json.out)).toMatchObject({
      errors: [{ code: 1_400_103, message: 'The exchange knows no user zoe: "ringback users" lists its users.' }],
    });
  });

  test('a wait for a device says what the exchange knows: no device online, and its notification', () => {
    const line = (reason: WaitReason) =>
      shown([{ type: 'unreached', peer: 'bob', callId: 'c1', reason }])
        .read()
        .out.split('; waiting')[0];
    const of = (notified: WaitReason['notified'], devices = 0) => line({ devices, notified });
    expect([of(null), of({ by: 'push', devices: 0 })]).toEqual(
      Array.from({ length: 2 }, () => 'bob has no device online, and none for push messages'),
    );
    const sent = 'bob has no device online; the exchange sent a push message to';
    expect(of({ by: 'push', devices: 1 })).toBe(`${sent} 1 device of bob`);
    expect(of({ by: 'push', devices: 2 })).toBe(`${sent} 2 devices of bob`);
    expect(of({ by: 'app' })).toBe('bob has no device online; the exchange notified the open app of bob');
    expect(of(null, 1)).toBe('no device of bob rings yet');
  });

  test('a wait is shown: for a device of the callee, and for an exchange that does not answer', () => {
    const waits: ShownEvent[] = [
      { type: 'waiting', userId: 'bob' },
      { type: 'channel', isOpen: false },
      { type: 'channel', isOpen: true },
      { type: 'unreached', peer: 'carol', callId: 'c1', reason: null },
    ];
    const lines = [
      'the exchange does not answer; trying again...',
      'the exchange answers again',
      'no device of carol rings yet; waiting for one to come online...',
    ];
    expect(shown(waits).read().out).toBe(['waiting as bob...', ...lines, ''].join('\n'));
    const plain = { isTTY: true, env: { NO_COLOR: '1' } };
    for (const line of lines) expect(shown(waits, plain).read().out).toContain(line);
    // A device that rings ends the wait for one.
    const rung = shown([...waits, { type: 'ringing', afterMs: 9_000 }], plain).read().out;
    expect(rung.slice(rung.lastIndexOf('\u001B[J'))).not.toContain('no device');
  });

  test('a value that was not measured is a dash, not a zero', () => {
    expect(qualityLine({ loss: 0, rtt: null, jitter: null, mos: null })).toBe('loss 0.0%  jitter -  rtt -  mos -');
    expect(qualityLine({ loss: null, rtt: 1, jitter: 1, mos: 1 })).toBe('loss -  jitter 1ms  rtt 1ms  mos 1.0 poor');
  });
});

describe('the text for a second', () => {
  const audio = (values: Partial<Second['audio']>) => secondLines(secondOf(values)).audio;
  const video = (values: Partial<Second['video']>) => secondLines(secondOf({}, values)).video;

  test('silence is shown as no sound with its length, and never as excellent', () => {
    const silent = audio({ tone: null, carried: 0, level: null, silentMs: 5_200, loss: 1, jitter: null, mos: 1 });
    expect(silent).toBe('in  audio no sound for 5.2s  loss 100.0%  jitter -  rtt 1ms  mos 1.0 poor');
  });

  test.each([
    [{}, 'tone 660 Hz ok'],
    [{ carried: 0.4 }, 'tone 660 Hz broken (40.0% of the time)'],
    [{ tone: null, carried: 0, level: -23 }, 'sound, -23 dB, not the test tone'],
    [{ state: 'off', mos: null }, 'muted, by the other side'],
    [{ state: 'held', mos: null }, 'on hold'],
  ] as const)('%j is %s', (values, words) => expect(audio(values)).toContain(`in  audio ${words}  loss`));

  test.each([
    [{}, '24.0 fps 320x240  marker ok  freezes 0'],
    [{ markers: 10, hasGoodMarkers: false }, '24.0 fps 320x240  marker read in 10 of 24  freezes 0'],
    [{ hasGoodMarkers: false }, '24.0 fps 320x240  marker does not rise  freezes 0'],
    [{ markers: 0, hasGoodMarkers: false }, '24.0 fps 320x240  picture moves, no marker  freezes 0'],
    [{ markers: 0, moved: 0, hasGoodMarkers: false }, '24.0 fps 320x240  picture stands still, no marker  freezes 0'],
    [{ frames: 0, stillMs: 3_100 }, 'no picture for 3.1s'],
    [{ state: 'off' }, 'camera off, by the other side'],
    [{ state: 'held' }, 'on hold'],
  ] as const)('%j is %s', (values, words) => expect(video(values)).toBe(`in  video ${words}  loss 0.0%`));

  test('a voice call has no line about video', () => {
    const { video: _, ...voice } = secondOf();
    expect(secondLines(voice).video).toBeNull();
  });
});

describe('the text for a whole call', () => {
  const linesOf = (audio: Parameters<typeof audioReading>[0], video: Parameters<typeof videoReading>[0] = {}) =>
    reportLines(callReport({ received: { audio: audioReading(audio), video: videoReading(video) } }));

  test('silence and its part at the end are shown', () => {
    const silence = { silentMs: 9_000, endSilenceMs: 8_800, heardMs: 1_000 };
    expect(linesOf({ ok: false, carried: 5, ...silence })[0]).toContain(
      'in  audio tone 660 Hz broken (10.0% of the time)  silent for 9.0s of 10.0s, the last 8.8s of them  loss',
    );
    const none = { ok: false, tone: null, level: null, carried: 0, heardMs: 0 };
    expect(linesOf({ ...none, silentMs: 10_000, endSilenceMs: 10_000 })[0]).toContain('audio no sound in 10.0s  loss');
    expect(linesOf({}, { ok: false, seenMs: 1_000, endGapMs: 8_900 })[1]).toContain(
      'marker ok  freezes 0  seen for 1.0s of 10.0s, none in the last 8.9s  loss',
    );
    expect(linesOf({}, { ok: false, frames: 0 })[1]).toContain('video no picture in 10.0s');
  });

  test('audio and video other than the test signals are described', () => {
    const other = { tone: null, carried: 0, level: -23 };
    const paused = { ...other, heardMs: 10_000, silentMs: 6_000 };
    const [audio, video] = linesOf(paused, { markers: 0, steps: 0, rising: 0 });
    expect(linesOf({ ...other, ok: false, heardMs: 7_000, silentMs: 8_000 })[0]).toContain('silent for 3.0s of 10.0s');
    expect(audio).toContain('audio sound, -23 dB, not the test tone  loss');
    expect(video).toContain('picture moves, no marker');
  });

  test('media that was not expected is shown with the reason', () => {
    expect(linesOf({ ok: null, expectedMs: 0, offMs: 10_000 })[0]).toContain('audio muted, by the other side');
    expect(linesOf({}, { ok: null, expectedMs: 0, heldMs: 10_000 })[1]).toContain('video on hold');
  });

  test('a call that never connected has no figures', () => {
    const seconds = { ...callReport().seconds, count: 0 };
    expect(reportLines(callReport({ received: {}, seconds }))).toEqual([]);
  });
});
