/** `ringback sim`: runs the exchange, until Ctrl-C. */
import { Command, Option } from 'commander';
import type { SimOptions } from '../actions/sim.ts';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { parseHost, parseName, parseOrigin, parsePort, parseUser } from '../arguments/values.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import type { CommandModule } from './command-module.ts';
import { databaseOption, logLevelOption, addScriptOptions } from './server-options.ts';

export const sim: CommandModule = {
  declare(exit) {
    const command = new Command('sim')
      .summary('start only the exchange')
      .description('Start the exchange, which connects calls. Ctrl-C ends it.')
      .addOption(
        new Option(
          '--demo',
          'add the demo users, who sign in without a password, and a mailbox that any page can read',
        ).conflicts('users'),
      )
      .option('--users <id...>', 'test users; the command prints an access token for each', collectUsers)
      .addOption(
        new Option(
          '--config [file]',
          'run a deployment, with settings from a YAML or JSON file and from RINGBACK_… variables (docs/deployment.md)',
        ).conflicts([
          'demo',
          'users',
          'port',
          'host',
          'appId',
          'database',
          'name',
          'webhookHost',
          'allowOrigin',
          'logLevel',
          'script',
          'scripts',
        ]),
      )
      .option('--port <port>', 'the port to listen at; 0 selects any free port', parsePort, DEFAULT_PORT)
      .option(
        '--host <host>',
        'the address to listen at; an address other than loopback admits other machines',
        parseHost,
        DEFAULT_HOST,
      )
      .option('--app-id <id>', 'the application id that callers must name', DEFAULT_APP_ID)
      .addOption(databaseOption())
      .option(
        '--name <name>',
        'the name of the exchange in the database, the same at each start; by default the name of the machine and the port',
        parseName,
      )
      .option(
        '--webhook-host <host...>',
        'the hosts that may receive webhooks of calls, as host or host:port; by default none',
      )
      .option(
        '--allow-origin <origin...>',
        'the origins whose pages may send requests, besides the app of this exchange; by default all of this machine',
        collectOrigins,
      )
      .addOption(logLevelOption())
      .addOption(
        new Option('--json', 'print one JSON object with the addresses when the exchange is ready').conflicts('config'),
      );
    return addScriptOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: SimOptions) => {
        (await import('../open-files.ts')).checkOpenFiles();
        const action = await import('../actions/sim.ts');
        exit(await action.sim(options));
      });
  },
};

/** Collects the test users of an option that takes several words and may be repeated. */
const collectUsers = (text: string, former: readonly string[] = []): readonly string[] => [...former, parseUser(text)];

/** Collects the origins of an option that takes several words and may be repeated. */
const collectOrigins = (text: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  parseOrigin(text),
];

const EXAMPLES = `
Examples:
  ringback sim --demo                at ${DEFAULT_SERVER}, with the demo users
  ringback sim --users alice bob     with two test users, and their access tokens
  ringback sim --demo --port 0       at any free port, which it prints
  ringback sim --demo --database calls.db
                                     stores calls in a file: live calls continue after a restart
  ringback sim --demo --script accept
                                     every called user accepts after 2 seconds
  ringback sim --allow-origin https://app.test
                                     pages of this origin may send requests too
  ringback sim --config ringback.yaml
                                     a deployment, as docs/deployment.md describes it
  ringback sim --scripts mine.yaml   clients can also choose your script
  ringback sim --demo --port 0 --json
                                     its address as JSON, for other programs
  ringback sim --demo --log-level info
                                     with its log, one JSON object a line on standard error
`;
