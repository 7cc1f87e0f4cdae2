/** `ringback explain`: describes the words of scenario files. */
import { Command } from 'commander';
import type { CommandModule } from './command-module.ts';

export const explain: CommandModule = {
  declare() {
    return new Command('explain')
      .summary('describe the words of scenario files')
      .description('Describe the words of scenario files: actions, faults, paths, verbs and bounds.')
      .argument('[topic]', 'head, verb, bound, action, path, fault, fragment, or list for all words', 'list')
      .argument('[name]', 'the word, like accept; without it, the words of the topic')
      .option('--json', 'print JSON')
      .addHelpText('after', HELP)
      .action(async (topic: string, name: string | undefined, options: { readonly json?: true }) =>
        (await import('../actions/explain.ts')).printExplanation(topic, name, options.json === true),
      );
  },
};

const HELP = `
Examples:
  ringback explain list                    every word
  ringback explain action accept           the parameters of an action, and an example
  ringback explain fault network           the keys of a fault
  ringback explain path call.recording     the values at a path of an actor
  ringback explain path server.calls       the values at a path of the exchange
  ringback explain verb see                the keys of a step
  ringback explain bound within            a bound in time
  ringback explain fragment                a file with steps of several scenarios

Exit codes:
  0 described   2 wrong usage, or no such word
`;
