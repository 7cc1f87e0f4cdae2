/** Counts Ctrl-C and SIGTERM: the first one asks for an orderly end, the second one ends at once. */
import { EXIT } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls `interrupted` with 1, 2, ... for each signal. Returns the function that removes the listeners. */
export function onInterrupt(interrupted: (count: number) => void): () => void {
  let count = 0;
  const listener = () => {
    count += 1;
    interrupted(count);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

/** Resolves at the first Ctrl-C. A second one, during the shutdown, ends the process at once. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    onInterrupt((count) => {
      if (count === 1) resolve();
      else process.exit(EXIT.interrupted);
    });
  });
}
