/** The action of `ringback explore`: draws stories from seeds, plays them and saves those that break an invariant. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { join } from 'node:path';
import {
  explore as exploreSeeds,
  type Explored,
  type ModelName,
  scenarioText,
} from '../../sim/scenario/explore/explore.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { onInterrupt } from '../interrupt.ts';
import { processOutput } from '../process-output.ts';
import { makeOutputFolder, writeResult } from '../scenarios/output-files.ts';

export interface ExploreOptions {
  readonly model: ModelName;
  readonly nodes: number;
  readonly seeds: number;
  readonly first: number;
  readonly most: number;
  readonly save: string;
  readonly json?: boolean;
}

/** Explores. Returns the exit code. */
export async function explore({ model, nodes, seeds, first, most, save, json }: ExploreOptions): Promise<number> {
  if (model === 'room' && nodes > 1)
    throw new CommandError('--model room has one node: leave --nodes out, or choose --model direct', EXIT.usage);
  const { out, err } = processOutput;
  makeOutputFolder(save);
  const began = nodeClock.now();
  let interrupted = false;
  const undo = onInterrupt((count) => {
    interrupted = true;
    if (count > 1) process.exit(EXIT.interrupted);
  });
  const explored = await exploreSeeds({
    model,
    nodes,
    firstSeed: first,
    seeds,
    most,
    interrupted: () => interrupted,
    played: (done) => {
      if (err.isTTY && done % 20 === 0) err.write(`\r\u001B[2K${done} of ${seeds}`);
    },
  });
  undo();
  if (err.isTTY) err.write('\r\u001B[2K');
  const files = keep(explored, save, model);
  if (json) out.write(`${JSON.stringify(asObject(explored, files))}\n`);
  else out.write(asText(explored, files, { model, nodes, ms: nodeClock.now() - began }));
  if (interrupted) return EXIT.interrupted;
  return explored.found.length > 0 ? EXIT.failed : EXIT.ok;
}

function keep({ found }: Explored, folder: string, model: ModelName): string[] {
  return found.map(({ seed, scenario, violation }) => {
    const file = join(folder, `${violation.id}-${seed}.yaml`);
    writeResult(file, scenarioText(scenario, violation, model));
    return file;
  });
}

function asText(
  { seeds, events, moves, found }: Explored,
  files: readonly string[],
  { model, nodes, ms }: { readonly model: ModelName; readonly nodes: number; readonly ms: number },
): string {
  const kind = `${model === 'direct' ? '' : ` --model ${model}`}${nodes === 1 ? '' : ` --nodes ${nodes}`}`;
  const lines = found.flatMap(({ seed, violation, scenario, drawnSteps }, at) => [
    `${violation.id} is broken by seed ${seed}, ${drawnSteps} steps made ${scenario.steps.length}: ${violation.message}`,
    `    ringback explore${kind} --first ${seed} --seeds 1         searches again with this seed`,
    `    ringback run ${files[at] ?? ''} --trace on   plays it and keeps the trace for ringback trace`,
  ]);
  const counts = `${seeds} seeds, ${events} events, ${moves.length} kinds of moves, ${(ms / 1_000).toFixed(1)} s`;
  return `${[...lines, `${counts} | ${found.length} broken`].join('\n')}\n`;
}

const asObject = ({ found, ...explored }: Explored, files: readonly string[]) => ({
  version: 1,
  ...explored,
  found: found.map(({ seed, violation, scenario, drawnSteps }, at) => ({
    seed,
    ...violation,
    drawnSteps,
    steps: scenario.steps.length,
    file: files[at],
  })),
});
