/** The action of `ringback scenarios`: lists, prints and checks scenarios. */
import { statSync } from 'node:fs';
import { didYouMean } from '../../sim/format/near-word.ts';
import { scenarioYaml } from '../../sim/scenario/format/write-scenario.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { createPaint } from '../reporters/paint.ts';
import { printable, printableWord, writeLine } from '../reporters/printable.ts';
import { findScenarios } from '../scenarios/find-scenarios.ts';
import { NO_SCENARIO } from '../scenarios/narrow.ts';
import { readNamedText } from '../scenarios/read-text.ts';

/** Prints a line for each scenario. */
export async function list(files: readonly string[]): Promise<void> {
  const paint = createPaint(processOutput.out.isTTY === true, process.env);
  for (const { scenario, cases, about = '' } of await checked(files)) {
    const count = paint.dim(String(cases?.length ?? 1).padStart(3));
    // The colours are escapes themselves.
    processOutput.out.write(`${printableWord(scenario).padEnd(40)} ${count}  ${printableWord(about)}\n`);
  }
}

/** Prints one scenario, by its name or its file. @throws CommandError (usage) when it does not exist. */
export async function print(name: string, format: string): Promise<void> {
  const isFile = statSync(name, { throwIfNoEntry: false })?.isFile() ?? false;
  const found = await checked(isFile ? [name] : []);
  const one = isFile ? found[0] : found.find(({ scenario }) => scenario === name);
  if (!one && isFile) throw new CommandError(NO_SCENARIO, EXIT.usage);
  if (!one) {
    const meant = didYouMean(
      name,
      found.map(({ scenario }) => scenario),
    );
    throw new CommandError(`There is no scenario ${name}${meant}; ringback scenarios lists them.`, EXIT.usage);
  }
  const text = format === 'yaml' ? scenarioYaml(one) : readNamedText(one.file);
  processOutput.out.write(processOutput.out.isTTY === true ? printable(text) : text);
}

/** Checks scenario files. Returns the exit code. */
export async function check(files: readonly string[]): Promise<number> {
  const { scenarios: sound, faults, files: read } = await findScenarios(files);
  for (const { file, line, column, message } of faults)
    writeLine(processOutput.out, `${file}:${line}:${column}: ${message}`);
  if (faults.length > 0) return EXIT.invalid;
  processOutput.out.write(`${soundText(sound.length, read.length - sound.length)}\n`);
  return EXIT.ok;
}

/** Returns the summary. A fragment is not checked alone, because only its scenarios define its people. */
function soundText(sound: number, fragments: number): string {
  const text = sound === 1 ? '1 scenario is well-formed' : `${sound} scenarios are well-formed`;
  return fragments === 0 ? text : `${text}; a fragment is checked with the scenarios that use it`;
}

async function checked(files: readonly string[]) {
  const { scenarios: found, faults } = await findScenarios(files);
  const [fault] = faults;
  if (fault) throw new CommandError(`${fault.file}:${fault.line}:${fault.column}: ${fault.message}`, EXIT.invalid);
  return found;
}
