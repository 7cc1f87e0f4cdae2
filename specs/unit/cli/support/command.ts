import { vi } from 'vitest';
import type { CommandModule } from '../../../../cli/commands/command-module.ts';
import { processOutput } from '../../../../cli/process-output.ts';

/** Runs a command. Returns its output, and its exit code. */
export const command = (module: CommandModule, ...words: string[]) => heardCommand(module, words, () => undefined);

/** Runs a command, and passes on what it writes to its standard output. */
export async function heardCommand(module: CommandModule, words: readonly string[], heard: (text: string) => void) {
  let code = 0;
  // A FORCE_COLOR of the environment must not affect a test.
  const { FORCE_COLOR: colours } = process.env;
  delete process.env['FORCE_COLOR'];
  const [out, err] = [vi.spyOn(processOutput.out, 'write'), vi.spyOn(processOutput.err, 'write')];
  const said = { out: '', err: '' };
  out.mockImplementation((text) => {
    said.out += text;
    heard(text);
  });
  err.mockImplementation((text) => void (said.err += text));
  try {
    await module.declare((exit) => (code = exit)).parseAsync(words, { from: 'user' });
  } finally {
    if (colours !== undefined) process.env['FORCE_COLOR'] = colours;
    out.mockRestore();
    err.mockRestore();
  }
  return { ...said, code };
}
