/** The action of `ringback demo`: runs the exchange and the web app with demo users, until Ctrl-C. */
import { nodeClock } from '../../sim/server/node-ports.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogSink } from '../../sim/exchange/ports.ts';
import { DEFAULT_HOST, type LogThreshold } from '../../sim/server/defaults.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { createJsonLog } from '../../sim/server/operations/json-log.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { demoScript } from '../../sim/demo-bots/demo-script.ts';
import { CommandError } from '../command-error.ts';
import { makeDatabaseFolder } from '../database-folder.ts';
import type { ScriptCommandOptions } from '../commands/server-options.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import { listening } from '../listening.ts';
import { openDemoRooms } from '../rooms/demo-rooms.ts';
import { packageRoot } from '../package-root.ts';
import { processOutput } from '../process-output.ts';
import { writeLine } from '../reporters/printable.ts';
import { warnOfPassword } from '../secret-warnings.ts';
import { servicesOfEnvironment } from '../services.ts';
import { untilStopped } from '../until-stopped.ts';
import { readVersion } from '../version.ts';
import { scriptsOf } from './scripts-of.ts';

export interface DemoOptions extends ScriptCommandOptions {
  readonly port: number;
  readonly appPort: number;
  readonly database?: string;
  readonly logLevel: LogThreshold;
}

interface Running {
  readonly exchange: string;
  readonly app: string;
  close(): Promise<void>;
}

/** Runs the demo world. Returns the exit code. */
export async function demo(options: DemoOptions): Promise<number> {
  if (options.database !== undefined) warnOfPassword(options.database);
  makeDatabaseFolder(options.database);
  const log = createJsonLog(options.logLevel);
  const services = servicesOfEnvironment(options.database);
  const running = await start(options, services, log);
  processOutput.out.write(welcome(running) + services.line);
  const exitCode = await untilStopped(log);
  await running.close();
  return exitCode;
}

async function start(
  options: DemoOptions,
  services: ReturnType<typeof servicesOfEnvironment>,
  log: LogSink,
): Promise<Running> {
  const { port, appPort } = options;
  const dir = join(packageRoot(), 'dist', 'app');
  if (!existsSync(join(dir, 'index.html'))) {
    throw new CommandError('The web app is not built: run "npm run build" once, or "make start".', EXIT.environment);
  }
  const { options: scripts, parties } = await scriptsOf(options, DEFAULT_HOST, true);
  // Without options for scripts, simulated people act for the demo users.
  const lively = scripts && { ...scripts, own: [...scripts.own, demoScript], main: scripts.main ?? demoScript.script };
  const exchange = await listening(
    '--port',
    () =>
      startSim({
        demo: true,
        showsItself: true,
        version: readVersion(),
        port,
        ...services.options,
        log,
        billing: true,
        ...(lively ? { scripts: lively, demoBots: true } : {}),
      }),
    services.databaseSetting,
  );
  try {
    const config = appConfigFor(exchange.url);
    const app = await listening('--app-port', () => startAppServer({ dir, port: appPort, config }));
    await Promise.all([exchange.url, app.url].map(answers));
    const closeRooms = openDemoRooms(exchange.url, (line) => writeLine(processOutput.err, line));
    return {
      exchange: exchange.url,
      app: app.url,
      close: async () => {
        closeRooms();
        parties.close();
        await Promise.all([app.close(), exchange.close()]);
      },
    };
  } catch (error) {
    await exchange.close();
    throw error;
  }
}

/** Waits until the server is ready. A server that is still starting answers 503. */
async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response && response.status < 500) return;
    await new Promise<void>((resolve) => nodeClock.after(100, resolve));
  }
  throw new CommandError(`No server answers at ${url} after its start.`, EXIT.environment);
}

function welcome({ exchange, app }: Running): string {
  const [first = '', second = '', third = ''] = demoPeople().map((person) => person.u_id);
  const server = exchange === DEFAULT_SERVER ? '' : ` --server ${exchange}`;
  return [
    'Ringback is ready.',
    '',
    `  open      ${app}`,
    `  sign in   as ${first}, ${second} or ${third}, by the buttons below the form: they need no password`,
    `  dial      npx ringback dial ${first} --as ${second}${server}`,
    `            rings ${first}, where ${first} is signed in`,
    `  exchange  ${exchange}`,
    '  stop      Ctrl-C',
    '',
  ].join('\n');
}
