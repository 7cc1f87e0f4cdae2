/**
 * L10: changed inputs of every kind. The process stays alive, every answer is specified, and the memory stays flat. Inputs
 * that once failed are stored in the corpus, and come first in each run.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import { heldBytes } from '../../contract/exchange/hostile-bodies.ts';
import { watchFaults } from '../process-faults.ts';
import type { Soak, SoakRun } from '../soak-run.ts';
import { SCENARIOS, SCRIPTS, TRACES } from './files.ts';
import { FRAMES } from './frames.ts';
import { minimize, mutate } from './mutate.ts';
import { CALLING, PRODUCT } from './requests.ts';
import type { FuzzTarget, FuzzWorld } from './target.ts';

export const TARGETS: readonly FuzzTarget[] = [FRAMES, CALLING, PRODUCT, SCENARIOS, SCRIPTS, TRACES];
const INPUTS = { short: 100_000, long: 10_000_000 };
const CORPUS = new URL('./corpus', import.meta.url).pathname;
const MOST_FAULTS = 20;
const GROWTH_MIB = 48;
const MIB = 1024 * 1024;
/** Inputs between two turns of the event loop, so that the run can be stopped. */
const TURN_INPUTS = 500;
/** The memory is compared with that after this share of the inputs of a target. */
const WARM_UP_SHARE = 0.2;

/** A failure: the shortest input, and where it is stored. */
export interface Failure {
  readonly fault: string;
  readonly input: Buffer;
}

export const L10: SoakRun = {
  id: 'L10',
  about: 'ten million changed frames, requests and files, and the corpus of inputs that once failed',
  minutes: null,
  shortMs: 0,
  takesServers: false,
  async run(soak) {
    const wanted = soak.inputs ?? INPUTS[soak.isShort ? 'short' : 'long'];
    const faults = watchFaults();
    try {
      for (const target of TARGETS) {
        if (soak.stop.aborted) break;
        await fuzzTarget(soak, target, Math.max(1, Math.round(wanted * target.share)));
      }
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      const unhandled = faults.end();
      soak.condition(
        'no error is unhandled',
        unhandled.length === 0,
        [...new Set(unhandled)].slice(0, 3).join('; ') || 'none',
      );
    }
  },
};

async function fuzzTarget(soak: Soak, target: FuzzTarget, inputs: number): Promise<void> {
  const stored = storedInputs(target.name);
  const began = performance.now();
  let [fed, before] = [0, 0];
  const failures = await fuzz(target, {
    inputs,
    seed: soak.seed,
    stored,
    stop: soak.stop,
    async fed(count) {
      fed = count;
      soak.say(`${target.name}: ${count} of ${inputs} inputs`);
      if (before === 0 && count >= WARM_UP_SHARE * inputs) before = await heldBytes();
    },
  });
  const growth = ((await heldBytes()) - (before || (await heldBytes()))) / MIB;
  for (const { input } of failures) store(target.name, input);
  const seconds = (performance.now() - began) / 1_000;
  soak.figure(target.name, `${fed} inputs, ${stored.length} of them stored, in ${seconds.toFixed(1)} s`);
  const shown = failures.map(
    ({ fault, input }) => `${fault}, by ${JSON.stringify(input.toString('latin1').slice(0, 120))}`,
  );
  soak.condition(
    `${target.name}: every answer is specified`,
    failures.length === 0,
    shown.join('; ') || `${fed} inputs`,
  );
  soak.condition(
    `${target.name}: the memory grows by at most ${GROWTH_MIB} MiB`,
    growth <= GROWTH_MIB,
    `${growth.toFixed(1)} MiB`,
  );
}

export interface FuzzOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Inputs that are fed first, as they are. */
  readonly stored: readonly Buffer[];
  readonly stop: AbortSignal;
  /** Called after each turn with the number of inputs so far. The next input waits for it. */
  fed(count: number): void | Promise<void>;
}

/** Feeds the stored inputs, the seeds and changed inputs. Resolves with one failure for each different fault. */
export async function fuzz(target: FuzzTarget, { inputs, seed, stored, stop, fed }: FuzzOptions): Promise<Failure[]> {
  const random = seededRandom(seedFor(seed, target.name));
  const failures = new Map<string, Failure>();
  const known = [...stored, ...target.seeds];
  const pick = () => known[Math.floor(random() * known.length)] ?? Buffer.alloc(0);
  let world = await target.open();
  const fail = async (fault: string, input: Buffer) => {
    if (failures.has(fault) || failures.size >= MOST_FAULTS) return;
    failures.set(fault, { fault, input });
    const same = async (shorter: Buffer) => (await faultAlone(target, shorter)) === fault;
    // A fault that needs the inputs before it is reported as it is.
    if (await same(input)) failures.set(fault, { fault, input: await minimize(input, same) });
  };
  for (let count = 0; count < inputs; count += 1) {
    const input = known[count] ?? mutate(pick(), random, pick());
    const fault = await world.feed(input);
    if (fault !== null) await fail(fault, input);
    if ((count + 1) % target.worldInputs === 0) {
      const left = await world.close();
      if (left !== null) await fail(left, input);
      world = await target.open();
    }
    if ((count + 1) % TURN_INPUTS === 0) {
      await fed(count + 1);
      await new Promise((resolve) => setImmediate(resolve));
      if (stop.aborted) break;
    }
    if (count + 1 === inputs) await fed(inputs);
  }
  const left = await world.close();
  if (left !== null) await fail(left, Buffer.alloc(0));
  return [...failures.values()];
}

/** Feeds one input to a fresh world. Resolves with the fault. */
async function faultAlone(target: FuzzTarget, input: Buffer): Promise<string | null> {
  const world: FuzzWorld = await target.open();
  const fault = await world.feed(input);
  return (await world.close()) ?? fault;
}

const folderOf = (name: string): string => join(CORPUS, name.replaceAll(' ', '-'));

/** Returns the stored inputs of a target, in the order of their names. */
export function storedInputs(name: string): Buffer[] {
  const folder = folderOf(name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((file) => readFileSync(join(folder, file)));
}

/** Stores an input that failed, under the hash of its bytes. */
function store(name: string, input: Buffer): void {
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${createHash('sha256').update(input).digest('hex').slice(0, 16)}.bin`), input);
}
