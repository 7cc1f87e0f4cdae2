import { describe, expect, it } from 'vitest';
import { ladderOf } from '../../../sim/scenario/picture/ladder-rows.ts';
import { ladderText } from '../../../sim/scenario/picture/ladder-text.ts';
import { mermaidOf } from '../../../sim/scenario/picture/mermaid.ts';
import { svgOf } from '../../../sim/scenario/picture/svg.ts';
import type { TraceEvent } from '../../../sim/scenario/trace/trace.ts';

const TRACE: readonly TraceEvent[] = [
  { at: 0, kind: 'message', device: 'alice', direction: 'up', cmd: 'dial', payload: {} },
  { at: 1, kind: 'message', device: 'bob', direction: 'down', cmd: 'dial', payload: {} },
  { at: 2, kind: 'state', device: 'bob', machine: 'call', from: 'idle', to: 'ringing' },
  { at: 3, kind: 'fault', what: 'drop from alice cmd <offer>', on: true },
  { at: 4, kind: 'message', device: 'alice', direction: 'up', cmd: 'offer', payload: {}, fate: 'dropped' },
  { at: 5, kind: 'message', device: 'alice', direction: 'down', cmd: 'alive_ack', payload: {} },
  { at: 6, kind: 'message', device: 'alice', direction: 'down', cmd: 'end_ack', payload: {}, error: 1400102 },
];

describe('a ladder', () => {
  it('has a lane for each device and one for the exchange, and leaves out what is no news', () => {
    const { lanes, rows } = ladderOf(TRACE);
    expect(lanes).toEqual(['alice', 'exchange', 'bob']);
    expect(rows.map(({ text }) => text)).toEqual([
      'dial',
      'dial',
      'idle -> ringing',
      'fault: drop from alice cmd <offer>',
      'offer',
      'end_ack (1400102)',
    ]);
    expect(ladderOf(TRACE, { whole: true }).rows.map(({ text }) => text)).toContain('alive_ack');
    expect(ladderOf([]).lanes).toEqual(['exchange']);
  });

  it('in the terminal: arrows in their direction, lost ones broken off, notes in their lane', () => {
    expect(ladderText(ladderOf(TRACE)).split('\n').slice(0, 7)).toEqual([
      '            alice                     exchange                  bob',
      '            |                         |                         |',
      '    0.000   |-- dial ---------------->|                         |',
      '    0.001   |                         |-- dial ---------------->|',
      '    0.002   |                         |                         | idle -> ringing',
      '    0.003   | == fault: drop from alice cmd <offer> ==          |',
      '    0.004   |-- offer --------X       |                         |',
    ]);
  });

  it('as Mermaid and as SVG, with everything in them and nothing that is not text', () => {
    const mermaid = mermaidOf(ladderOf(TRACE));
    expect(mermaid).toContain('L0->>L1: 0.000 dial');
    expect(mermaid).toContain('L0-xL1: 0.004 offer');
    expect(mermaid).toContain('Note over L2: 0.002 idle -> ringing');
    const svg = svgOf(ladderOf(TRACE), 'a <title>');
    expect(svg).toContain('<title>a &lt;title&gt;</title>');
    expect(svg).toContain('drop from alice cmd &lt;offer&gt;');
    expect(svg.match(/class="lost"/g)).toHaveLength(1);
    expect(svg).not.toContain('<script');
  });
});
