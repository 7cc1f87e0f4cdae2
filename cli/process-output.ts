/** The output streams of this process. A reader that closes early (`| head -1`) is not an error. */
import type { Output } from './reporters/reporter.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export const processOutput: Output = { out: process.stdout, err: process.stderr };
