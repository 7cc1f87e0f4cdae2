import { readdirSync } from 'node:fs';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../src/trace/events.ts';
import type { TraceMachine } from '../../../src/trace/machines.ts';
import { ladderOf } from '../../../src/trace/picture/ladder.ts';
import { svgOf } from '../../../src/trace/picture/ladder-svg.ts';
import { timelineOf } from '../../../src/trace/picture/timeline-svg.ts';
import { InvalidTrace, readTrace } from '../../../src/trace/read-trace.ts';
import { machineRunsOf } from '../../../src/trace/state-spans.ts';
import { timerRunsOf } from '../../../src/trace/timer-runs.ts';

const ROOM: TraceMachine = {
  initial: 'outside',
  final: ['left'],
  tones: { outside: 'over', entering: 'way', entered: 'good', left: 'over' },
  timers: { entry: { during: ['entering'], repeats: false, lengthMs: 5_000 } },
  isMain: true,
  ladderLabel: '',
  timelineLabel: 'room',
};
const ENDPOINT: TraceMachine = {
  initial: 'idle',
  final: ['detached'],
  tones: { attached: 'good' },
  timers: {},
  isMain: false,
  ladderLabel: 'endpoint',
  timelineLabel: 'endpoint',
};
const MACHINES = { room: ROOM, endpoint: ENDPOINT };

const move = (at: number, machine: string, from: string, to: string): TraceEvent => ({
  ...{ at, kind: 'state', device: 'alice', machine, from, to },
});
const VISIT: readonly TraceEvent[] = [
  move(0, 'room', 'outside', 'entering'),
  move(200, 'endpoint', 'idle', 'attached'),
  move(1_000, 'room', 'entering', 'entered'),
  move(9_000, 'endpoint', 'attached', 'detached'),
  move(9_000, 'room', 'entered', 'left'),
];
const told = (svg: string): string[] =>
  [...svg.matchAll(/<g class="(\w+)"><title>([^<]*)</g)].map(([, tone = '', text = '']) => `${tone} ${text}`);

describe('a trace of machines that its reader passes in', () => {
  it('is read, and a move of another machine is no line of it', () => {
    const text = VISIT.map((event) => JSON.stringify(event)).join('\n');
    expect(readTrace(text, MACHINES).events).toEqual(VISIT);
    expect(() => readTrace(text, { room: ROOM })).toThrow(InvalidTrace);
  });

  it('has a run for each machine, with the timers of its table', () => {
    expect(machineRunsOf(VISIT, MACHINES).map(({ machine, isOver }) => `${machine} ${isOver}`)).toEqual([
      'room true',
      'endpoint true',
    ]);
    expect(timerRunsOf(VISIT, MACHINES)).toMatchObject([{ timer: 'entry', from: 0, to: 1_000, length: 5_000 }]);
    expect(timerRunsOf(VISIT, MACHINES, { lengths: { entry: 800 } })).toMatchObject([{ end: 'fired', fired: [800] }]);
  });

  it('is drawn with the labels and the tones of the tables', () => {
    const ladder = ladderOf(VISIT, MACHINES);
    expect(ladder.rows.map(({ text }) => text)).toEqual([
      'outside -> entering',
      'endpoint idle -> attached',
      'entering -> entered',
      'endpoint attached -> detached',
      'entered -> left',
    ]);
    // The lane has the tones of the main machine, and ends with it.
    expect([...svgOf(ladder, { title: 'visit' }).matchAll(/class="band (\w+)"/g)].map(([, tone]) => tone)).toEqual([
      'way',
      'good',
    ]);
    expect(told(timelineOf(VISIT, MACHINES, { title: 'visit' }))).toEqual([
      'way alice room entering: 0.000 s to 1.000 s',
      'good alice room entered: 1.000 s to 9.000 s',
      'good alice endpoint attached: 0.200 s to 9.000 s',
      'rose alice entry timer: 0.000 s to 1.000 s, 1s of 5s, stopped, ended by entered',
    ]);
  });
});

describe('the module of traces', () => {
  it('is bundled for a page without a module of Node', async () => {
    const files = readdirSync('src/trace', { recursive: true, encoding: 'utf8' });
    const entry = files.filter((file) => file.endsWith('.ts')).map((file) => `src/trace/${file}`);
    expect(entry.length).toBeGreaterThan(5);
    const result = await build({
      configFile: false,
      logLevel: 'error',
      publicDir: false,
      build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
    });
    const bundles = Array.isArray(result) ? result : [result];
    const chunks = bundles.flatMap((bundle) => ('output' in bundle ? bundle.output : []));
    const code = chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('\n');
    expect(code).toContain('sequenceDiagram');
    expect(code).not.toMatch(/node:|browser-external/);
  });
});
