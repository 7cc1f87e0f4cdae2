/** Ctrl-C and a polite kill, counted: the first asks for an orderly end, a second means at once. */
import { EXIT } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Calls `interrupted` with 1, 2, ... for each signal; returns the undo. */
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

/** Resolves with the first Ctrl-C. A second one, while things are being closed, ends the process at once. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    onInterrupt((count) => {
      if (count === 1) resolve();
      else process.exit(EXIT.interrupted);
    });
  });
}
