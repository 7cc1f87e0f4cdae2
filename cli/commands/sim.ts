/** `ringback sim`: runs the exchange, until Ctrl-C. */
import { Command } from 'commander';
import { DEFAULT_APP_ID, DEFAULT_HOST, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { isLoopback } from '../../sim/server/doors.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { parseHost, parsePort } from '../arguments/values.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import { untilInterrupted } from '../interrupt.ts';
import { listening } from '../listening.ts';
import { processOutput } from '../process-output.ts';
import type { CommandModule } from './command-module.ts';
import { databaseOption } from './database-option.ts';
import { addScriptOptions, type ScriptCommandOptions, scriptsOf } from './script-options.ts';

interface SimCommandOptions extends ScriptCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly appId: string;
  readonly database: string;
  readonly webhookHost?: readonly string[];
  readonly verbose?: boolean;
}

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
        '--webhook-host <host...>',
        'where webhooks of calls may be posted; this machine where neither this nor --host says otherwise',
      )
      .option('--verbose', 'print the log to stderr');
    return addScriptOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: SimCommandOptions) => {
        const { out, err } = processOutput;
        const { options: scripts, parties } = await scriptsOf(options, options.host);
        const running = await listening('--port', () =>
          startSim({
            port: options.port,
            host: options.host,
            appId: options.appId,
            database: options.database,
            ...(scripts ? { scripts } : {}),
            ...(options.webhookHost ? { webhookHosts: options.webhookHost } : {}),
            ...(options.verbose
              ? { log: ({ level, message, fields }) => err.write(`${level} ${message} ${JSON.stringify(fields)}\n`) }
              : {}),
          }),
        );
        if (!isLoopback(options.host)) err.write(openDoor(options.host));
        out.write(welcome(running, options.appId, scripts !== undefined));
        await untilInterrupted();
        parties.close();
        await running.close();
        exit(EXIT.ok);
      });
  },
};

function welcome({ url }: Sim, appId: string, playsScripts: boolean): string {
  const ids = demoPeople().map((person) => person.u_id);
  const named = ids.slice(0, 4);
  const others = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
  const server = url === DEFAULT_SERVER ? '' : ` --server ${url}`;
  const application = appId === DEFAULT_APP_ID ? '' : ` --app-id ${appId}`;
  return [
    `exchange  ${url}  application ${appId}`,
    `users     ${named.join(', ')}${others}`,
    `try       ringback answer --as bob${server}${application}`,
    `          ringback dial bob --as alice${server}${application}`,
    ...(playsScripts
      ? [`scripts   ringback dial bob --script decline${server}${application}; ringback scripts lists them`]
      : []),
    'stop      Ctrl-C',
    '',
  ].join('\n');
}

function openDoor(host: string): string {
  return (
    `Warning: at ${host} the exchange is open to the network, and its demo users sign in without a password. ` +
    `Use --host ${DEFAULT_HOST} to keep it to this machine.\n`
  );
}

const EXAMPLES = `
Examples:
  ringback sim                       at ${DEFAULT_SERVER}
  ringback sim --port 0              at any free port, which it prints
  ringback sim --database calls.db   keeps calls in a file: live ones go on when it is started again
  ringback sim --script accept       whoever is called accepts, after 2 seconds
  ringback sim --scripts mine.yaml   with a script of yours, for clients to choose
  ringback sim --verbose             with its log
`;
