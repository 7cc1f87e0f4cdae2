/** The exports of each file in this folder. */
import type { Command } from 'commander';

export interface CommandModule {
  /** Declares the command. Its action calls `exit` with the exit code. */
  declare(exit: (code: number) => void): Command;
}
