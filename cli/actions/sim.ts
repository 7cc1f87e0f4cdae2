/** The action of `ringback sim`: runs the exchange, until Ctrl-C. */
import { DEFAULT_APP_ID, DEFAULT_HOST, type LogThreshold } from '../../sim/server/defaults.ts';
import { isLoopback } from '../../sim/server/allowed-hosts.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { createJsonLog } from '../../sim/server/operations/json-log.ts';
import { collectRarely } from '../../sim/server/operations/rare-collections.ts';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { IN_MEMORY } from '../../sim/store/database.ts';
import { CommandError } from '../command-error.ts';
import { makeDatabaseFolder } from '../database-folder.ts';
import type { ScriptCommandOptions } from '../commands/server-options.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import { listening } from '../listening.ts';
import { processOutput } from '../process-output.ts';
import { serveConfigured } from '../serve-configured.ts';
import { warnOfPassword } from '../secret-warnings.ts';
import { servicesOfEnvironment } from '../services.ts';
import { untilStopped } from '../until-stopped.ts';
import { testUsers } from '../test-users.ts';
import { readVersion } from '../version.ts';
import { scriptsOf } from './scripts-of.ts';

export interface SimOptions extends ScriptCommandOptions {
  readonly port: number;
  readonly host: string;
  readonly appId: string;
  /** The path of the configuration. True for the environment alone. */
  readonly config?: string | true;
  readonly demo?: boolean;
  readonly users?: readonly string[];
  readonly database?: string;
  readonly name?: string;
  readonly webhookHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly logLevel: LogThreshold;
  readonly json?: boolean;
}

/** Runs the exchange. Returns the exit code. */
export async function sim(options: SimOptions): Promise<number> {
  if (options.config !== undefined) return serveConfigured(options.config === true ? undefined : options.config);
  const { out, err } = processOutput;
  const services = servicesOfEnvironment(options.database);
  if (options.name !== undefined && services.options.database === IN_MEMORY) {
    throw new CommandError(
      '--name needs --database. Without a database, live calls end with the exchange.',
      EXIT.usage,
    );
  }
  if (options.database !== undefined) warnOfPassword(options.database);
  makeDatabaseFolder(options.database);
  const isDemo = options.demo === true;
  const { options: scripts, parties } = await scriptsOf(options, options.host, isDemo);
  const sink = createJsonLog(options.logLevel);
  collectRarely();
  const running = await listening(
    '--port',
    () =>
      startSim({
        demo: isDemo,
        showsItself: true,
        version: readVersion(),
        ...(options.users ? { users: testUsers(options.users) } : {}),
        port: options.port,
        host: options.host,
        appId: options.appId,
        ...services.options,
        ...(options.name === undefined ? {} : { name: options.name }),
        ...(scripts ? { scripts } : {}),
        allowsOwnPages: true,
        ...(options.allowOrigin ? { allowedOrigins: options.allowOrigin } : {}),
        ...(options.webhookHost ? { webhookHosts: options.webhookHost } : {}),
        log: sink,
      }),
    services.databaseSetting,
  );
  if (!isLoopback(options.host)) err.write(openDoor(options.host, isDemo));
  const tokens = await accessTokens(running, options.users ?? []);
  out.write(
    options.json === true
      ? `${JSON.stringify(addresses(running, options, tokens))}\n`
      : services.line + welcome(running, options, tokens, scripts !== undefined),
  );
  const exitCode = await untilStopped(sink);
  parties.close();
  await running.close();
  return exitCode;
}

/** Creates an access token for each test user, in the order of the users. */
async function accessTokens(running: Sim, users: readonly string[]): Promise<(readonly [string, string])[]> {
  return Promise.all(users.map(async (user) => [user, await running.accessTokenOf(user)] as const));
}

/** Returns the addresses that `--json` prints. The tokens are those that the text without `--json` names, too. */
function addresses(
  { url, port }: Sim,
  { appId, demo = false }: SimOptions,
  tokens: readonly (readonly [user: string, token: string])[],
) {
  return { url, websocket: url.replace(/^http/, 'ws'), port, appId, demo, tokens: Object.fromEntries(tokens) };
}

function welcome(
  { url }: Sim,
  { appId, demo }: SimOptions,
  tokens: readonly (readonly [user: string, token: string])[],
  playsScripts: boolean,
): string {
  const server = url === DEFAULT_SERVER ? '' : ` --server ${url}`;
  const application = appId === DEFAULT_APP_ID ? '' : ` --app-id ${appId}`;
  const more = `${server}${application}`;
  return [
    `exchange  ${url}  application ${appId}`,
    ...(demo === true
      ? [
          `users     ${demoUsers()}`,
          `try       ringback answer --as bob${more}`,
          `          ringback dial bob --as alice${more}`,
        ]
      : []),
    ...tokens.map(([user, token]) => `user      RINGBACK_TOKEN=${token} ringback answer --as ${user}${more}`),
    ...(demo === true || tokens.length > 0
      ? []
      : ['users     none: --users alice bob makes test users, --demo brings the demo users']),
    ...(playsScripts ? [`scripts   ringback dial bob --script decline${more}; ringback scripts lists them`] : []),
    'stop      Ctrl-C',
    '',
  ].join('\n');
}

function demoUsers(): string {
  const ids = demoPeople().map((person) => person.u_id);
  const named = ids.slice(0, 4);
  return `${named.join(', ')}${ids.length > named.length ? ` and ${ids.length - named.length} more` : ''}`;
}

function openDoor(host: string, isDemo: boolean): string {
  const what = isDemo
    ? 'its demo users sign in without a password, and /demo/mailbox shows every code to any visitor'
    : 'it uses plain http: put a proxy with TLS in front of it';
  return (
    `Warning: at ${host} the exchange is open to the network, and ${what}. ` +
    `Use --host ${DEFAULT_HOST} to allow only clients of this machine.\n`
  );
}
