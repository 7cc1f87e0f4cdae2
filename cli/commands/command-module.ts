/** What each file in this folder exports. */
import type { Command } from 'commander';

export interface CommandModule {
  /** Declares the command. Its action calls `exit` with the code to exit with. */
  declare(exit: (code: number) => void): Command;
}
