import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { knownInstead } from '../../sim/format/near-word.ts';
import { InvalidTrace, type KeptTrace, readTrace } from '../../src/trace/read-trace.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { MACHINES } from '../../sim/scenario/trace/machines.ts';

/** The name of standard input in place of a file. */
const STANDARD_INPUT = '-';
const SUFFIX = '.ndjson';
/** The most traces that a message lists. */
const MOST = 5;

/**
 * Reads the trace in a file, or from standard input.
 *
 * @throws CommandError (usage) when the file cannot be read or is empty.
 */
export function openTrace(file: string): KeptTrace {
  let text: string;
  try {
    text = readFileSync(file === STANDARD_INPUT ? 0 : file, 'utf8');
  } catch (error) {
    throw new CommandError(unreadable(file, codeIn(error)), EXIT.usage);
  }
  if (text.trim() === '') throw new CommandError(`The trace at ${file} is empty.`, EXIT.usage);
  try {
    return readTrace(text, MACHINES);
  } catch (error) {
    if (!(error instanceof InvalidTrace)) throw error;
    throw new CommandError(`${file}:${error.line}: ${error.message}.`, EXIT.usage);
  }
}

function unreadable(file: string, code: string | undefined): string {
  if (code === 'EISDIR') return `${file} is a folder: name a trace in it${tracesIn(file, '')}.`;
  if (code !== 'ENOENT') return `The trace at ${file} cannot be read (${code ?? 'unknown'}).`;
  return `There is no trace at ${file}${tracesIn(dirname(file), basename(file))}.`;
}

/** Returns which traces a folder has. With a name, the nearest ones. */
function tracesIn(folder: string, name: string): string {
  const known = namesIn(folder).filter((one) => one.endsWith(SUFFIX));
  if (known.length === 0) return '';
  const found = knownInstead(name, known);
  return name === '' && !found.startsWith(':') ? `: ${known.slice(0, MOST).join(', ')}` : found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const codeIn = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
