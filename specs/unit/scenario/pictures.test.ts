import { describe, expect, it } from 'vitest';
import { ladderOf } from '../../../src/trace/picture/ladder.ts';
import { ladderText, mermaidOf, timersText } from '../../../src/trace/picture/ladder-text.ts';
import { svgOf } from '../../../src/trace/picture/ladder-svg.ts';
import { timeAxis } from '../../../src/trace/picture/time-axis.ts';
import { timelineOf } from '../../../src/trace/picture/timeline-svg.ts';
import { timerRunsOf } from '../../../src/trace/timer-runs.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';
import { MACHINES } from '../../../sim/scenario/trace/machines.ts';

const TRACE: readonly TraceEvent[] = [
  { at: 0, kind: 'message', device: 'alice', direction: 'up', cmd: 'dial', payload: {} },
  { at: 1, kind: 'message', device: 'bob', direction: 'down', cmd: 'dial', payload: {} },
  { at: 2, kind: 'state', device: 'bob', machine: 'call', from: 'idle', to: 'ringing' },
  { at: 3, kind: 'fault', what: 'drop from alice cmd <offer>', on: true },
  { at: 4, kind: 'message', device: 'alice', direction: 'up', cmd: 'offer', payload: {}, fate: 'dropped' },
  { at: 5, kind: 'message', device: 'alice', direction: 'down', cmd: 'alive_ack', payload: {} },
  {
    at: 6,
    kind: 'message',
    device: 'alice',
    direction: 'down',
    cmd: 'end_ack',
    payload: {},
    error: ErrorCode.ERR_CALL_DOES_NOT_EXIST,
  },
];

describe('a ladder', () => {
  it('has a lane for each device and one for the exchange, and omits irrelevant events', () => {
    const { lanes, rows } = ladderOf(TRACE, MACHINES);
    expect(lanes).toEqual(['alice', 'exchange', 'bob']);
    expect(rows.map(({ text }) => text)).toEqual([
      'dial',
      'dial',
      'idle -> ringing',
      'fault: drop from alice cmd <offer>',
      'offer',
      'end_ack (1400102)',
    ]);
    expect(ladderOf(TRACE, MACHINES, { whole: true }).rows.map(({ text }) => text)).toContain('alive_ack');
    expect(ladderOf([], MACHINES).lanes).toEqual(['exchange']);
  });

  it('has in the terminal arrows in their direction, interrupted arrows of lost messages, and notes in their lane', () => {
    expect(ladderText(ladderOf(TRACE, MACHINES)).split('\n').slice(0, 7)).toEqual([
      '            alice                     exchange                  bob',
      '            |                         |                         |',
      '    0.000   |-- dial ---------------->|                         |',
      '    0.001   |                         |-- dial ---------------->|',
      '    0.002   |                         |                         | idle -> ringing',
      '    0.003   | == fault: drop from alice cmd <offer> ==          |',
      '    0.004   |-- offer --------X       |                         |',
    ]);
  });

  it('has in a run of several calls the number of the call of each message, and names the calls first', () => {
    const said = (at: number, device: string, direction: 'up' | 'down', cmd: string, payload: object): TraceEvent => ({
      ...{ at, kind: 'message', device, direction, cmd, payload },
    });
    const users = (caller: string, callee: string) => ({ caller: { user_id: caller }, callee: { user_id: callee } });
    const trace: TraceEvent[] = [
      said(0, 'alice', 'up', 'dial', { callee_id: 'bob' }),
      // A repeated dial has one answer.
      said(1, 'alice', 'up', 'dial', { callee_id: 'bob' }),
      said(2, 'alice', 'down', 'dial_ack', { call_id: 'a1', ...users('alice', 'bob') }),
      said(3, 'alice', 'up', 'dial', { callee_id: 'zoe' }),
      { ...said(4, 'alice', 'down', 'dial_ack', {}), error: ErrorCode.ERR_CALLEE_DOES_NOT_EXIST } as TraceEvent,
      said(5, 'carol', 'up', 'dial', { callee_id: 'bob' }),
      said(6, 'carol', 'down', 'dial_ack', { call_id: 'c1', ...users('carol', 'bob') }),
      said(7, 'bob', 'up', 'hold', { call_id: 'a1' }),
      {
        ...{ at: 8, kind: 'http', device: 'carol', direction: 'up', body: {} },
        request: 'POST /v1/direct_calls/c1/summary',
      },
      {
        ...{ at: 9, kind: 'http', device: 'bob', direction: 'up' },
        request: 'POST /x',
        body: { payload: { call_id: 'a1' } },
      },
    ];
    const ladder = ladderOf(trace, MACHINES);
    expect(ladder.rows.map((row) => (row.kind === 'arrow' ? `${row.text} ${row.call ?? '-'}` : row.text))).toEqual([
      'calls: #1 alice to bob, #2 carol to bob',
      ...['dial 1', 'dial 1', 'dial_ack 1', 'dial -', `dial_ack (${ErrorCode.ERR_CALLEE_DOES_NOT_EXIST}) -`],
      ...['dial 2', 'dial_ack 2', 'hold 1', 'POST /v1/direct_calls/c1/summary 2', 'POST /x 1'],
    ]);
    const lines = ladderText(ladder).split('\n');
    expect(lines[2]).toContain('== calls: #1 alice to bob, #2 carol to bob ==');
    expect(lines[3]).toContain('|-- dial #1 ------------->|');
    expect(lines[11]).toMatch(/\.\.\. #2 --\|/);
    expect(svgOf(ladder, { title: 'x' })).toContain('>hold #1</text>');
    expect(mermaidOf(ladder)).toContain('hold #35;1');
    // With one call the numbers say nothing.
    expect(ladderText(ladderOf(trace.slice(0, 3), MACHINES))).not.toContain('#');
  });

  it('has every event as Mermaid and as SVG, and no markup from the trace', () => {
    const mermaid = mermaidOf(ladderOf(TRACE, MACHINES));
    expect(mermaid).toContain('L0->>L1: 0.000 dial');
    expect(mermaid).toContain('L0-xL1: 0.004 offer');
    expect(mermaid).toContain('Note over L2: 0.002 idle -> ringing');
    const svg = svgOf(ladderOf(TRACE, MACHINES), { title: 'a <title>' });
    expect(svg).toContain('<title>a &lt;title&gt;</title>');
    expect(svg).toContain('drop from alice cmd &lt;offer&gt;');
    expect(svg.match(/class="shaft broken"/g)).toHaveLength(1);
    expect(svg).toContain('>offer · dropped</text>');
    expect(svg).not.toContain('<script');
    expect(svgOf(ladderOf(TRACE, MACHINES), { title: 'x', styled: false })).not.toContain('<style>');
  });

  it('has as SVG the colours of the states, the length of a long wait, and long ids and texts cut', () => {
    const state = (at: number, from: string, to: string): TraceEvent => ({
      ...{ at, kind: 'state', device: 'bob', machine: 'call', from, to },
    });
    const request = 'POST /v1/direct_calls/id-00000000000000000003/summary';
    const svg = svgOf(
      ladderOf(
        [
          state(0, 'idle', 'ringing'),
          state(3_000, 'ringing', 'connected'),
          { at: 3_001, kind: 'http', device: 'bob', direction: 'up', request, body: {} },
          { at: 3_002, kind: 'error', device: 'bob', message: 'x'.repeat(99) },
          state(3_003, 'connected', 'ended'),
        ],
        MACHINES,
      ),
      { title: 'x' },
    );
    expect(
      [...svg.matchAll(/class="band (\w+)"[^>]*><title>([^<]+)/g)].map(([, tone, told]) => `${tone} ${told}`),
    ).toEqual(['way bob: ringing', 'good bob: connected']);
    expect(svg).toContain('>ringing → connected</text>');
    expect(svg.match(/>\+3s<\/text>/g)).toHaveLength(1);
    expect(svg).toContain('>POST /v1/direct_calls/…/summary</text>');
    expect(svg).toMatch(/<title>error: x{99}<\/title>[\s\S]*>error: x{20,80}…<\/text>/);
  });
});

describe('a time axis', () => {
  it('has moments in their order, and shortens long waits', () => {
    const { x } = timeAxis([0, 4, 30, 60_030], 1_000, 60);
    const places = [0, 4, 30, 1_000, 60_030].map(x);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect([places[0], places.at(-1)]).toEqual([0, 1_000]);
    expect(x(30) - x(4)).toBeGreaterThan((x(60_030) - x(30)) / 5);
    expect([x(-5), x(99_999)]).toEqual([0, 1_000]);
    expect(timeAxis([], 1_000, 60).x(0)).toBe(0);
  });

  it('labels moments only where there is space, the last among them', () => {
    const { ticks, x } = timeAxis([0, 1, 2, 3, 5_000, 8_999, 9_000], 400, 60);
    expect(ticks.at(0)).toBe(0);
    expect(ticks.at(-1)).toBe(9_000);
    for (const [at, tick] of ticks.entries())
      if (at > 0) expect(x(tick) - x(ticks[at - 1] ?? 0)).toBeGreaterThanOrEqual(60);
  });
});

describe('a timeline', () => {
  const move = (
    at: number,
    device: string,
    from: string,
    to: string,
    machine: 'call' | 'peer' = 'call',
  ): TraceEvent => ({
    ...{ at, kind: 'state', device, machine, from, to },
  });
  const TALK: readonly TraceEvent[] = [
    move(2, 'bob', 'idle', 'ringing'),
    move(2, 'alice', 'idle', 'dialing'),
    { at: 1_000, kind: 'fault', what: 'media <actor> bob', on: true },
    { at: 9_000, kind: 'fault', what: 'media <actor> bob', on: false },
    { at: 9_500, kind: 'fault', what: 'network', on: true },
    move(12_002, 'alice', 'dialing', 'closing'),
    move(12_002, 'alice', 'closing', 'ended'),
  ];
  const told = (svg: string) =>
    [...svg.matchAll(/<g class="(\w+)"><title>([^<]+)/g)].map(([, tone, text]) => `${tone} ${text}`);

  it('has the faults, the states and the timers of each device, with start and end', () => {
    expect(told(timelineOf(TALK, MACHINES, { title: 'talk', end: 20_000 }))).toEqual([
      'trouble fault media &lt;actor&gt; bob: 1.000 s to 9.000 s',
      'trouble fault network: 9.500 s to 20.000 s',
      'way bob ringing: 0.002 s to 20.000 s',
      'rose bob alive timer: 0.002 s to 20.000 s, 19.998s of 30s, still running',
      'rose bob ring timer: 0.002 s to 20.000 s, 19.998s of 60s, still running',
      'way alice dialing: 0.002 s to 12.002 s',
      'over alice closing: 12.002 s to 12.002 s',
      'rose alice alive timer: 0.002 s to 12.002 s, 12s of 30s, stopped, ended by closing',
      'rose alice ring timer: 0.002 s to 12.002 s, 12s of 60s, stopped, ended by closing',
    ]);
  });

  it('marks a timer that fired, and the moment of a failure', () => {
    const short = { alive: 5_000, ring: 12_000, connection: 1, grace: 1 };
    const svg = timelineOf(TALK, MACHINES, { title: 'talk', lengths: short, end: 20_000, failed: true });
    expect(told(svg)).toContain('bad alice ring timer: 0.002 s to 12.002 s, fired after 12s, ended by closing');
    expect(told(svg)).toContain(
      'rose alice alive timer: 0.002 s to 12.002 s, 12s of 5s, fired 2 times, ended by closing',
    );
    expect(told(svg).at(-1)).toBe('bad the step failed at 20.000 s');
    expect(timelineOf([], MACHINES, { title: 'nothing' })).toContain('<svg');
  });

  it('has in the terminal a bar for each timer', () => {
    const lengths = { alive: 5_000, ring: 12_000, connection: 1, grace: 1 };
    expect(timersText(timerRunsOf(TALK, MACHINES, { lengths, end: 8_002 })).split('\n')).toEqual([
      '    0.002   bob alive     [##################............] 3s of 5s, fired once, still running',
      '    0.002   bob ring      [####################..........] 8s of 12s, still running',
      '    0.002   alice alive   [############..................] 2s of 5s, fired 2 times, stopped by closing',
      '    0.002   alice ring    [##############################] fired after 12s',
      '',
    ]);
    expect(timersText([])).toBe('');
  });

  it('puts overlapping calls of one device into separate rows', () => {
    const svg = timelineOf(
      [
        move(0, 'alice', 'idle', 'dialing'),
        move(10, 'alice', 'dialing', 'connected'),
        move(20, 'alice', 'idle', 'ringing'),
        move(30, 'alice', 'ringing', 'ended'),
        move(40, 'alice', 'connected', 'ended'),
        move(50, 'alice', 'idle', 'dialing'),
      ],
      MACHINES,
      { title: 'two' },
    );
    const rows = [...svg.matchAll(/<title>alice (\w+): [^<]+<\/title><rect class="bar" x="[\d.]+" y="([\d.]+)"/g)];
    const [first, second] = [rows[0]?.[2], rows[3]?.[2]];
    expect(first).not.toBe(second);
    expect(rows.map(([, state, y]) => [state, y])).toEqual([
      ['dialing', first],
      ['connected', first],
      ['dialing', first],
      ['ringing', second],
    ]);
  });
});
