/** The output streams of this process. */
import { EXIT } from './exit-codes.ts';
import type { Output } from './reporters/reporter.ts';

for (const [name, stream] of [
  ['standard output', process.stdout],
  ['standard error', process.stderr],
] as const) {
  stream.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    // A reader that closes early (`| head -1`) is not an error.
    if (code === 'EPIPE') return;
    if (stream !== process.stderr) process.stderr.write(`Nothing can be written to ${name} (${code}).\n`);
    process.exit(EXIT.environment);
  });
}

export const processOutput: Output = { out: process.stdout, err: process.stderr };
