import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import { MESSAGE_NAMES } from '../../../sim/scenario/format/messages.ts';
import type { Step } from '../../../sim/scenario/format/tree.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { gapsOf, readFaultCatalogue } from '../../../tools/run/scenario-coverage.ts';

const catalogue = readFaultCatalogue(readFileSync(new URL('../../faults.yaml', import.meta.url), 'utf8'));
const FAULTS = { faults: { F01: 'one', F02: 'two' }, elsewhere: { F16: 'no buffers' } };

const scenario = (name: string, tags: readonly string[], expected: unknown = {}) => ({
  scenario: name,
  tags: [...tags],
  steps: [{ verb: 'expect', expect: expected, place: { file: 'x', line: 1, column: 1 } } as Step],
});
const message = (cmd: string, payload: unknown = {}): TraceEvent => ({
  at: 0,
  kind: 'message',
  device: 'a',
  direction: 'up',
  cmd,
  payload,
});

describe('the coverage of all scenarios', () => {
  it('names the faults that no scenario injects, and unknown tags', () => {
    const { faults, strayFaults } = gapsOf(
      [scenario('a', ['F01', 'race']), scenario('b', ['F16']), scenario('c', ['F99'])],
      [],
      FAULTS,
    );
    expect(faults).toEqual(['F02']);
    expect(strayFaults).toEqual(['F16 of b, which is shown elsewhere', 'F99 of c']);
  });

  it('names the messages and the end results without a scenario', () => {
    const said = MESSAGE_NAMES.filter((name) => name !== 'hold').map((name) => message(name));
    const gaps = gapsOf(
      [scenario('a', [], { 'bob.call.result': 'accept_failed' })],
      [{ trace: [...said, message('end', { end_result: 'completed' })] }],
      FAULTS,
    );
    expect(gaps.messages).toEqual(['hold']);
    expect(gaps.results).not.toContain('completed');
    expect(gaps.results).not.toContain('accept_failed');
    expect(gaps.results).toContain('declined');
  });

  it('has each fault from F01 to F59 in a scenario, or a reason why no scenario can show it', async () => {
    const all = Array.from({ length: 59 }, (_, at) => `F${String(at + 1).padStart(2, '0')}`);
    expect(all.filter((id) => !(id in catalogue.faults) && !(id in catalogue.elsewhere))).toEqual([]);
    expect(Object.values(catalogue.elsewhere).every((reason) => reason.length > 10)).toBe(true);
    const { scenarios } = await findScenarios([]);
    expect(gapsOf(scenarios, [], catalogue)).toMatchObject({ faults: [], strayFaults: [] });
    expect(scenarios.length).toBeGreaterThanOrEqual(120);
  });
});
