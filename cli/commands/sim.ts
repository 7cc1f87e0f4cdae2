/** `ringback sim`: runs the exchange, until Ctrl-C. */
import { Command } from 'commander';
import type { SimOptions } from '../actions/sim.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { parseHost, parseName, parsePort } from '../arguments/values.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import type { CommandModule } from './command-module.ts';
import { databaseOption } from './database-option.ts';
import { addScriptOptions } from './script-options.ts';

export const sim: CommandModule = {
  declare(exit) {
    const command = new Command('sim')
      .summary('start the exchange alone')
      .description('Start the exchange that calls go through, with its demo users. Ctrl-C ends it.')
      .option('--port <port>', 'where to listen; 0 takes any free port', parsePort, DEFAULT_PORT)
      .option(
        '--host <host>',
        'the address to listen at; anything but loopback lets others in',
        parseHost,
        DEFAULT_HOST,
      )
      .option('--app-id <id>', 'the application id that callers must name', DEFAULT_APP_ID)
      .addOption(databaseOption())
      .option(
        '--name <name>',
        'the name under which the database keeps live calls, the same at each start; the name of the machine and the port by default',
        parseName,
      )
      .option(
        '--webhook-host <host...>',
        'where webhooks of calls may be posted; this machine where neither this nor --host says otherwise',
      )
      .option('--verbose', 'print the log to stderr');
    return addScriptOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: SimOptions) => {
        const action = await import('../actions/sim.ts');
        exit(await action.sim(options));
      });
  },
};

const EXAMPLES = `
Examples:
  ringback sim                       at ${DEFAULT_SERVER}
  ringback sim --port 0              at any free port, which it prints
  ringback sim --database calls.db   keeps calls in a file: live ones go on when it is started again
  ringback sim --database postgres://db/calls --name calls-1
                                     in a container: its name stays, the name of its machine does not
  ringback sim --script accept       whoever is called accepts, after 2 seconds
  ringback sim --scripts mine.yaml   with a script of yours, for clients to choose
  ringback sim --verbose             with its log
`;
