/** What `sim` and `demo` say about server scripts. */
import type { Command } from 'commander';

export interface ScriptCommandOptions {
  /** True without files, false for none; undefined where nothing is said. */
  readonly scripts?: boolean | readonly string[];
  readonly script?: string;
}

export function addScriptOptions(command: Command): Command {
  return command
    .option('--script <script>', 'the script for clients that choose none, like accept or busy,who=bob')
    .option(
      '--scripts [files...]',
      'let clients choose scripts, those of these files too; on this machine they may anyway',
    )
    .option('--no-scripts', 'let no client choose a script');
}
