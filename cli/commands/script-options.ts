/** The options of `sim` and `demo` for server scripts. */
import type { Command } from 'commander';

export interface ScriptCommandOptions {
  /** True without files, false for none. Undefined without the option. */
  readonly scripts?: boolean | readonly string[];
  readonly script?: string;
}

export function addScriptOptions(command: Command): Command {
  return command
    .option('--script <script>', 'the script for clients that choose none, like accept or busy,who=bob')
    .option(
      '--scripts [files...]',
      'let clients choose scripts, also those of these files; on loopback this is the default',
    )
    .option('--no-scripts', 'refuse scripts that clients choose');
}
