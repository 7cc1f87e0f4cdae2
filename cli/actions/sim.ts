/** What `ringback sim` does: runs the exchange, until Ctrl-C. */
import { DEFAULT_APP_ID, DEFAULT_HOST } from '../../sim/server/defaults.ts';
import { isLoopback } from '../../sim/server/doors.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { IN_MEMORY } from '../../sim/store/in-memory.ts';
import { CommandError } from '../command-error.ts';
import type { ScriptCommandOptions } from '../commands/script-options.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import { untilInterrupted } from '../interrupt.ts';
import { listening } from '../listening.ts';
import { processOutput } from '../process-output.ts';
import { scriptsOf } from './scripts-of.ts';

export interface SimOptions extends ScriptCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly appId: string;
  readonly database: string;
  readonly name?: string;
  readonly webhookHost?: readonly string[];
  readonly verbose?: boolean;
}

/** Runs the exchange, and returns the exit code. */
export async function sim(options: SimOptions): Promise<number> {
  const { out, err } = processOutput;
  if (options.name !== undefined && options.database === IN_MEMORY) {
    throw new CommandError(
      '--name is of use with --database only: without one, live calls end with the exchange.',
      EXIT.usage,
    );
  }
  const { options: scripts, parties } = await scriptsOf(options, options.host);
  const running = await listening('--port', () =>
    startSim({
      port: options.port,
      host: options.host,
      appId: options.appId,
      database: options.database,
      ...(options.name === undefined ? {} : { name: options.name }),
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
  return EXIT.ok;
}

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
