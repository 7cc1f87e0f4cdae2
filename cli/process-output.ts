/** This process's own streams. A reader that goes away (`| head -1`) is no error worth a word. */
import type { Output } from './reporters/reporter.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

export const processOutput: Output = { out: process.stdout, err: process.stderr };
