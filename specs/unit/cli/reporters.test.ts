import { describe, expect, test } from 'vitest';
import type { CallReport, HostEvent } from '../../../cli/headless/messages.ts';
import { chooseReporter } from '../../../cli/reporters/choose.ts';
import { candidatePair, qualityLine } from '../../../cli/reporters/format.ts';
import { createPaint } from '../../../cli/reporters/paint.ts';

const connection = {
  audioCodec: 'opus',
  videoCodec: 'VP8',
  candidatePair: { local: 'host', remote: 'host', protocol: 'udp' },
};
const quality = { loss: 0.0042, rtt: 1.4, jitter: 2, mos: 4.4 };
const received = {
  audio: { tone: 660, share: 1, windows: 50, carried: 50, silent: 0, ok: true },
  video: {
    frames: 240,
    fps: 24,
    width: 320,
    height: 240,
    markers: 240,
    rising: 239,
    steps: 239,
    missed: 0,
    freezes: 0,
    longestGapMs: 60,
    ok: true,
  },
};
const report: CallReport = {
  result: 'completed',
  callId: 'c1',
  role: 'caller',
  user: 'alice',
  peer: 'bob',
  video: true,
  endedBy: 'alice',
  duration: 10_012,
  sent: { audio: { tone: 440, packets: 500, bytes: 1 } },
  received,
  connection,
  quality,
  reconnections: 0,
  timings: { ringing: 100, connected: 1_300 },
  errors: [],
};
const call: HostEvent[] = [
  { type: 'ready' },
  { type: 'dialing', peer: 'bob', video: true },
  { type: 'ringing', afterMs: 100 },
  { type: 'established', afterMs: 1_200 },
  { type: 'connected', afterMs: 1_300, connection },
  { type: 'measured', elapsedMs: 1_000, received, quality, connection },
  { type: 'reconnecting' },
  { type: 'reconnected' },
  { type: 'ended', report },
];

function shown(
  events: HostEvent[],
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
  test('elsewhere than on a terminal: a line for each thing that happens, without colour', () => {
    const { out, err } = shown(call).read();
    expect(out.split('\n')).toEqual([
      'dialing bob...',
      'ringing 0.1s',
      'accepted 1.2s',
      'connected 1.3s  host/udp  VP8  opus',
      '1.0s  in  audio tone 660 Hz ok  loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
      '1.0s  in  video 24.0 fps 320x240  240 frames  marker ok  freezes 0',
      'reconnecting...',
      'reconnected',
      'in  audio tone 660 Hz ok',
      'in  video 24.0 fps 320x240  240 frames  marker ok  freezes 0',
      'ended by alice: completed, 10.0s',
      '',
    ]);
    expect(err).toBe('');
  });

  test('--json: one object at the end on stdout, the progress on stderr', () => {
    const { out, err } = shown(call, { json: true, isTTY: true }).read();
    expect(out.endsWith('\n')).toBe(true);
    expect(JSON.parse(out)).toEqual(report);
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

  test('a failure is one line on stderr, and an object where programs read', () => {
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

  test.each([
    [1_400_103, 'The exchange knows no user bob'],
    [1_400_106, 'start "ringback answer --as bob" first'],
    [1_400_999, 'The call to bob failed: ERR_SERVER_INTERNAL_ERROR (1400999)'],
  ])('a dial that failed with %i says on stderr what to do', (code, advice) => {
    const failed: CallReport = {
      ...report,
      result: 'dial_failed',
      endedBy: null,
      duration: 0,
      errors: [{ code, name: 'ERR_SERVER_INTERNAL_ERROR', message: '' }],
    };
    for (const json of [false, true]) {
      const { err } = shown([{ type: 'ended', report: failed }], { json }).read();
      expect(err).toContain(advice);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
    expect(shown([{ type: 'ended', report }]).read().err).toBe('');
  });

  test('on a terminal: redrawn in place, never wider than it', () => {
    const { out } = shown(call, { isTTY: true }).read();
    const [, last] = out.split(/\u001B\[\d+A\r\u001B\[J(?!.*\u001B\[\d+A)/s) as [string, string];
    const plain = last.replaceAll(/\u001B\[\d+m/g, '');
    expect(plain.split('\n')).toEqual([
      'dialing bob... ringing 0.1s... accepted 1.2s... connected 1.3s  host/udp  VP8  opus',
      ' in  audio tone 660 Hz ok   loss 0.4%  jitter 2ms  rtt 1ms  mos 4.4 excellent',
      ' in  video 24.0 fps 320x240  240 frames  marker ok  freezes 0',
      ' ended by alice: completed, 10.0s',
      '',
    ]);
  });

  test('on a narrow terminal no line wraps, for that would spoil the redrawing', () => {
    const { out } = shown(call, { isTTY: true, columns: 40, env: { NO_COLOR: '1' } }).read();
    const lines = out.replaceAll(/\u001B\[\d*[AJ]/g, '').split('\n');
    expect(Math.max(...lines.map((line) => line.replace('\r', '').length))).toBe(39);
  });

  test('NO_COLOR and a dumb terminal are obeyed', () => {
    expect(shown(call, { isTTY: true, env: { NO_COLOR: '1' } }).read().out).not.toMatch(/\u001B\[\d+m/);
    expect(shown(call, { isTTY: true, env: { TERM: 'dumb' } }).read().out).not.toContain('\u001B');
    expect(createPaint(true, {}).line('tone ok')).toContain('\u001B[32m');
    expect(createPaint(false, {}).line('tone ok')).toBe('tone ok');
  });

  test('a candidate pair names both kinds where they differ, and how a relay is reached', () => {
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

  test('what was not measured is a dash, not a zero', () => {
    expect(qualityLine({ loss: 0, rtt: null, jitter: null, mos: null })).toBe('loss 0.0%  jitter -  rtt -  mos -');
  });
});
