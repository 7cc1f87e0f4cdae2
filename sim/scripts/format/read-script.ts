/** The reader of script files: YAML to a script, or to faults with line and column. */
import { InvalidFile, Source } from '../../format/source.ts';
import { script, type WrittenScript } from './tree.ts';

/**
 * Reads a script file.
 * @param file - its name, for messages.
 * @throws InvalidFile with every fault found.
 */
export function readScript(file: string, text: string): WrittenScript {
  const source = new Source(file, text);
  if (source.faults.length === 0) source.check(script, source.value, []);
  if (source.faults.length > 0) throw new InvalidFile(source.faults);
  // The schema has checked the value. It is kept as written, so that it can be printed and joined.
  return source.value as WrittenScript;
}
