#!/usr/bin/env node
/** `ringback`: the command line program. Only the command that runs is loaded. */
import { Command, CommanderError } from 'commander';
import { refuseRepeated } from './arguments/repeated.ts';
import { CommandError } from './command-error.ts';
import type { CommandModule } from './commands/command-module.ts';
import { EXIT } from './exit-codes.ts';
import { processOutput } from './process-output.ts';
import { printable, writeLine } from './reporters/printable.ts';
import { readVersion } from './version.ts';

interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

const COMMANDS: readonly Entry[] = [
  {
    name: 'demo',
    summary: 'start the exchange and the web app with demo users',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'sim',
    summary: 'start only the exchange',
    load: async () => (await import('./commands/sim.ts')).sim,
  },
  {
    name: 'cluster',
    summary: 'start several nodes of one service behind a balancer',
    load: async () => (await import('./commands/cluster.ts')).cluster,
  },
  {
    name: 'dial',
    summary: 'call a user and measure the received media',
    load: async () => (await import('./commands/dial.ts')).dial,
  },
  {
    name: 'answer',
    summary: 'wait for a call and answer it',
    load: async () => (await import('./commands/answer.ts')).answer,
  },
  {
    name: 'room',
    summary: 'create, list, join, watch and delete rooms',
    load: async () => (await import('./commands/room.ts')).room,
  },
  {
    name: 'users',
    summary: 'list the users of an exchange of this machine',
    load: async () => (await import('./commands/users.ts')).users,
  },
  {
    name: 'calls',
    summary: 'list the live calls of an exchange of this machine',
    load: async () => (await import('./commands/calls.ts')).calls,
  },
  {
    name: 'history',
    summary: 'list the ended calls of a user',
    load: async () => (await import('./commands/history.ts')).history,
  },
  {
    name: 'run',
    summary: 'run scenarios',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    name: 'merge-reports',
    summary: 'make one report of the reports of several runs',
    load: async () => (await import('./commands/merge-reports.ts')).mergeReports,
  },
  {
    name: 'replay',
    summary: 'run a case again, until a moment or step by step',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  {
    name: 'explore',
    summary: 'search for faults, or for a random call, that break an invariant',
    load: async () => (await import('./commands/explore.ts')).explore,
  },
  {
    name: 'scenarios',
    summary: 'list, print and check scenarios',
    load: async () => (await import('./commands/scenarios.ts')).scenarios,
  },
  {
    name: 'explain',
    summary: 'describe the words of scenario files',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'schema',
    summary: 'print the JSON Schema of scenario files',
    load: async () => (await import('./commands/schema.ts')).schema,
  },
  {
    name: 'scripts',
    summary: 'list, print and check server scripts',
    load: async () => (await import('./commands/scripts.ts')).scripts,
  },
  {
    name: 'load',
    summary: 'make many calls at a rate, and measure the exchange',
    load: async () => (await import('./commands/load.ts')).load,
  },
  {
    name: 'doctor',
    summary: 'check this machine, or an exchange and the page that uses it',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'record',
    summary: 'record real clients and their server as a scenario',
    load: async () => (await import('./commands/record.ts')).record,
  },
  {
    name: 'trace',
    summary: 'draw the trace of a run',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
];

const EXAMPLES = `
Examples:
  ringback demo                      exchange, web app and demo users on this machine
  ringback sim --demo                only the exchange, with demo users
  ringback answer --as bob           wait for a call
  ringback dial bob --for 10s        call bob, and measure the media
  ringback doctor                    find out why something does not work
  ringback run                       every scenario that comes with ringback
`;

/** Runs a command line. Returns the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  try {
    const program = await declare(words, (code) => (exitCode = code));
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return exitCodeOfError(error);
  }
}

/** Creates the program. The command that runs is loaded completely; of the others, only the summary is known. */
async function declare(words: readonly string[], exit: (code: number) => void): Promise<Command> {
  const program = new Command('ringback')
    .description('Make, answer and measure calls from the terminal, and run the exchange that connects them.')
    .version(readVersion(), '-V, --version')
    .addHelpText('after', EXAMPLES)
    // Puts the whole message on one line. Commander prints "Did you mean" on a second one.
    .configureOutput({
      outputError: (text, write) =>
        write(`${printable(text.trim().replaceAll(/\s*\n\s*/g, ' '))} (--help shows the usage)\n`),
    })
    .exitOverride();
  // Words before the command are options. `help dial` loads dial as well.
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 2);
  for (const entry of COMMANDS) {
    if (named[0] === entry.name || (named[0] === 'help' && named[1] === entry.name)) {
      const command = (await entry.load()).declare(exit);
      for (const own of [command, ...command.commands]) {
        own.copyInheritedSettings(program);
        refuseRepeated(own);
      }
      program.addCommand(command);
    } else {
      program.command(entry.name).description(entry.summary);
    }
  }
  return program;
}

function exitCodeOfError(error: unknown): number {
  // Commander has printed its line already. Its code is 0 after help and version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CommandError) {
    writeLine(processOutput.err, error.message);
    return error.exitCode;
  }
  writeLine(processOutput.err, `ringback failed: ${error instanceof Error ? error.message : String(error)}`);
  if (process.env['RINGBACK_DEBUG'] && error instanceof Error) writeLine(processOutput.err, error.stack ?? '');
  return EXIT.internal;
}

process.exitCode = await main(process.argv.slice(2));
// Everything is closed here, so the process ends. A handle left open must not block a script.
setTimeout(() => process.exit(), 2_000).unref();
