/**
 * `ringback demo`: runs the exchange, the web app and demo users on this machine, until Ctrl-C. `make start` runs it.
 */
import { Command } from 'commander';
import type { DemoOptions } from '../actions/demo.ts';
import { DEFAULT_APP_PORT, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { parsePort } from '../arguments/values.ts';
import type { CommandModule } from './command-module.ts';
import { databaseOption, logLevelOption, addScriptOptions } from './server-options.ts';

export const demo: CommandModule = {
  declare(exit) {
    const command = new Command('demo')
      .summary('start the exchange and the web app with demo users')
      .description('Start the exchange and the web app on this machine, with demo users. Ctrl-C ends both.')
      .option('--port <port>', 'the port of the exchange', parsePort, DEFAULT_PORT)
      .option('--app-port <port>', 'the port of the web app', parsePort, DEFAULT_APP_PORT)
      .addOption(databaseOption())
      .addOption(logLevelOption());
    return addScriptOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: DemoOptions) => {
        (await import('../open-files.ts')).checkOpenFiles();
        const action = await import('../actions/demo.ts');
        exit(await action.demo(options));
      });
  },
};

const EXAMPLES = `
Examples:
  ringback demo                                  the exchange on port ${DEFAULT_PORT}, the app on port ${DEFAULT_APP_PORT}
  ringback demo --port 5000 --app-port 5001      the same on other ports
  ringback demo --script accept                  the called user accepts after 2 seconds
`;
