import { readScenario } from '../../sim/scenario/format/read-scenario.ts';
import { nodeClock } from '../../sim/server/node-ports.ts';
import type { ProgramReader } from './program-reader.ts';
import { readText } from './read-text.ts';
import { type ScenarioFile, scenarioFileOf } from './scenario-file.ts';
import { shownPath } from './shown-path.ts';

const PROGRAM = /\.m?[jt]s$/;

/** The reader of scenarios in TypeScript, from the first one on. */
let programs: ProgramReader | undefined;

/** Reads a scenario file in YAML or TypeScript. Never rejects: errors are in the result. */
export async function readScenarioFile(path: string): Promise<ScenarioFile> {
  if (!PROGRAM.test(path)) return scenarioFileOf(path, (open) => readYaml(path, open));
  // Imported only when needed, because most runs have no such file.
  const { ProgramReader } = await import('./program-reader.ts');
  programs ??= new ProgramReader(nodeClock);
  return programs.read(path);
}

function readYaml(path: string, open: Parameters<typeof readScenario>[2]) {
  const text = readText(path);
  return /^fragment:/m.test(text) ? undefined : readScenario(shownPath(path), text, open);
}
