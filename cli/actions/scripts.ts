/** The action of `ringback scripts`: lists, prints and checks server scripts. */
import { stringify } from 'yaml';
import { BUILT_INS, type BuiltIn } from '../../sim/scripts/built-in.ts';
import { UnknownScript, writeScript } from '../../sim/scripts/choose-script.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { processOutput } from '../process-output.ts';
import { writeLine } from '../reporters/printable.ts';
import { findScripts } from '../scripts/find-scripts.ts';

/** Prints a line for each built-in script. */
export function list(): void {
  const rows = BUILT_INS.map((one) => ({ call: callOf(one), about: one.about }));
  const width = Math.max(...rows.map(({ call }) => call.length));
  for (const { call, about } of rows) writeLine(processOutput.out, `${call.padEnd(width)}  ${about}`);
}

/** Prints a script in the form of a file. @throws CommandError (usage) when the script does not exist. */
export function print(words: string): void {
  try {
    processOutput.out.write(stringify(writeScript(words), { lineWidth: 120 }));
  } catch (error) {
    if (!(error instanceof UnknownScript)) throw error;
    throw new CommandError(error.message, EXIT.usage, { cause: error });
  }
}

/** Checks script files. Returns the exit code. */
export async function check(files: readonly string[]): Promise<number> {
  const { scripts: sound, faults } = await findScripts([...files]);
  for (const { file, line, column, message } of faults)
    writeLine(processOutput.out, `${file}:${line}:${column}: ${message}`);
  if (faults.length > 0) return EXIT.invalid;
  const names = sound.map(({ script }) => script).join(', ');
  writeLine(
    processOutput.out,
    `${sound.length} ${sound.length === 1 ? 'script is' : 'scripts are'} well-formed: ${names}`,
  );
  return EXIT.ok;
}

/**
 * Returns the script as `--script` takes it: `accept,after=2s,who=anybody`. A required parameter is shown as `cmd=…`.
 */
function callOf({ name, parameters }: BuiltIn): string {
  const parts = Object.entries(parameters).map(([key, parameter]) =>
    parameter.default === null ? `[,${key}=…]` : `,${key}=${parameter.default ?? '…'}`,
  );
  return `${name}${parts.join('')}`;
}
