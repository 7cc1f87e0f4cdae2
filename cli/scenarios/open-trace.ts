import { readFileSync } from 'node:fs';
import { InvalidTrace, type KeptTrace, readTrace } from '../../src/trace/read-trace.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

/** The name of standard input in place of a file. */
const STANDARD_INPUT = '-';

/**
 * Reads the trace in a file, or from standard input.
 *
 * @throws CommandError (usage) when the file cannot be read or is empty.
 */
export function openTrace(file: string): KeptTrace {
  let text: string;
  try {
    text = readFileSync(file === STANDARD_INPUT ? 0 : file, 'utf8');
  } catch {
    throw new CommandError(`No trace can be read at ${file}.`, EXIT.usage);
  }
  if (text.trim() === '') throw new CommandError(`The trace at ${file} is empty.`, EXIT.usage);
  try {
    return readTrace(text, MACHINES);
  } catch (error) {
    if (!(error instanceof InvalidTrace)) throw error;
    throw new CommandError(`${file}:${error.line}: ${error.message}.`, EXIT.usage);
  }
}
