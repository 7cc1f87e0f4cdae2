/** Files of users: scenarios, scripts and traces, through their readers. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidFile } from '../../../sim/format/source.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import { MACHINES } from '../../../sim/scenario/trace/machines.ts';
import { readScript } from '../../../sim/scripts/format/read-script.ts';
import { InvalidTrace, readTrace } from '../../../src/trace/read-trace.ts';
import { faultOf, type FuzzTarget } from './target.ts';

const WORLD_INPUTS = 1e9;
const SEED_BYTES = 700;
const FOLDER = new URL('../../../fixtures/scenarios', import.meta.url).pathname;

/** Returns a target for a reader. It may refuse with its own error, whose message is one line. */
function reader(
  name: string,
  share: number,
  seeds: readonly Buffer[],
  read: (text: string) => unknown,
  refusal: new (...words: never[]) => Error,
): FuzzTarget {
  return {
    name,
    share,
    seeds,
    worldInputs: WORLD_INPUTS,
    open: async () => ({
      async feed(input) {
        try {
          read(input.toString());
          return null;
        } catch (error) {
          if (!(error instanceof refusal)) return faultOf('the reader throws', error);
          return faultsIn(error).some((line) => line.includes('\n')) ? 'a fault is longer than one line' : null;
        }
      },
      close: async () => null,
    }),
  };
}

const faultsIn = (error: Error): string[] =>
  error instanceof InvalidFile ? error.faults.map(({ message }) => message) : [error.message];

const scenarioSeeds = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .map((name) => readFileSync(join(FOLDER, name)))
  // A small file is read faster, and all kinds of steps are in small files too.
  .filter(({ length }) => length < SEED_BYTES);

const SCRIPT = `name: busy
description: The callee is busy.
parameters:
  after: { type: span, default: 1s }
steps:
  - on: dial
    do: [{ wait: 1s }, { refuse: { code: 1400101 } }]
`;

const TRACE = [
  { kind: 'run', scenario: 'a', file: 'a.yaml', seed: 1, world: 'virtual', version: '1' },
  { kind: 'message', at: 0, device: 'alice', direction: 'up', cmd: 'dial', payload: { call_id: 'x' } },
  { kind: 'http', at: 1, device: 'alice', direction: 'up', request: 'GET /v1' },
  { kind: 'socket', at: 2, device: 'alice', what: 'open' },
  { kind: 'state', at: 3, device: 'alice', machine: 'call', from: 'idle', to: 'dialing' },
  { kind: 'told', at: 4, device: 'bob', name: 'onRinging' },
  { kind: 'sound', at: 5, device: 'bob', what: 'play', name: 'ringing' },
  { kind: 'fault', at: 6, what: 'drop', on: true },
  { kind: 'step', at: 7, place: 'a.yaml:3', text: 'alice dials bob' },
]
  .map((line) => JSON.stringify(line))
  .join('\n');

export const SCENARIOS = reader(
  'scenario files',
  0.02,
  scenarioSeeds,
  (text) => readScenario('fuzz.yaml', text),
  InvalidFile,
);
export const SCRIPTS = reader(
  'script files',
  0.02,
  [Buffer.from(SCRIPT)],
  (text) => readScript('fuzz.yaml', text),
  InvalidFile,
);
export const TRACES = reader(
  'trace files',
  0.08,
  [Buffer.from(TRACE)],
  (text) => readTrace(text, MACHINES),
  InvalidTrace,
);
