/** `ringback demo`: exchange, web app and demo users on this machine, until Ctrl-C. What `make start` runs. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { DEFAULT_APP_PORT, DEFAULT_HOST, DEFAULT_PORT } from '../../sim/server/defaults.ts';
import { demoPeople } from '../../sim/server/demo-people.ts';
import { appConfigFor, startAppServer } from '../../sim/server/start-app-server.ts';
import { townScript } from '../../sim/town/town-script.ts';
import { startSim } from '../../sim/server/start-sim.ts';
import { parsePort } from '../arguments/values.ts';
import { CommandError } from '../command-error.ts';
import { DEFAULT_SERVER } from '../defaults.ts';
import { EXIT } from '../exit-codes.ts';
import { untilInterrupted } from '../interrupt.ts';
import { listening } from '../listening.ts';
import { packageRoot } from '../package-root.ts';
import { processOutput } from '../process-output.ts';
import type { CommandModule } from './command-module.ts';
import { databaseOption } from './database-option.ts';
import { addScriptOptions, type ScriptCommandOptions, scriptsOf } from './script-options.ts';

interface DemoOptions extends ScriptCommandOptions {
  readonly port: number;
  readonly appPort: number;
  readonly database: string;
}

interface Running {
  readonly exchange: string;
  readonly app: string;
  close(): Promise<void>;
}

export const demo: CommandModule = {
  declare(exit) {
    const command = new Command('demo')
      .summary('start the exchange and the web app with demo users')
      .description('Start the exchange and the web app on this machine, with demo users. Ctrl-C ends both.')
      .option('--port <port>', 'where the exchange listens', parsePort, DEFAULT_PORT)
      .option('--app-port <port>', 'where the web app is served', parsePort, DEFAULT_APP_PORT)
      .addOption(databaseOption());
    return addScriptOptions(command)
      .addHelpText('after', EXAMPLES)
      .action(async (options: DemoOptions) => {
        const running = await start(options);
        processOutput.out.write(welcome(running));
        await untilInterrupted();
        await running.close();
        exit(EXIT.ok);
      });
  },
};

async function start(options: DemoOptions): Promise<Running> {
  const { port, appPort, database } = options;
  const dir = join(packageRoot(), 'dist', 'app');
  if (!existsSync(join(dir, 'index.html'))) {
    throw new CommandError('The web app is not built: run "npm run build" once, or "make start".', EXIT.environment);
  }
  const { options: scripts, parties } = await scriptsOf(options, DEFAULT_HOST);
  // Who says nothing about scripts gets people who live there.
  const lively = scripts && { ...scripts, own: [...scripts.own, townScript], main: scripts.main ?? townScript.script };
  const exchange = await listening('--port', () =>
    startSim({ port, database, billing: true, ...(lively ? { scripts: lively, town: true } : {}) }),
  );
  try {
    const config = appConfigFor(exchange.url);
    const app = await listening('--app-port', () => startAppServer({ dir, port: appPort, config }));
    await Promise.all([exchange.url, app.url].map(answers));
    return {
      exchange: exchange.url,
      app: app.url,
      close: async () => {
        parties.close();
        await Promise.all([app.close(), exchange.close()]);
      },
    };
  } catch (error) {
    await exchange.close();
    throw error;
  }
}

/** A server that listens may still be starting: it says 503 until it is ready. */
async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response && response.status < 500) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new CommandError(`Nothing answers at ${url}, though it was started.`, EXIT.environment);
}

function welcome({ exchange, app }: Running): string {
  const [first = '', second = '', third = ''] = demoPeople().map((person) => person.u_id);
  const server = exchange === DEFAULT_SERVER ? '' : ` --server ${exchange}`;
  return [
    'Ringback is ready.',
    '',
    `  open      ${app}`,
    `  sign in   as ${first}, ${second} or ${third}; no password is asked for`,
    `  dial      npx ringback dial ${first} --as ${second}${server}`,
    `            rings ${first}, once ${first} is signed in`,
    `  exchange  ${exchange}`,
    '  stop      Ctrl-C',
    '',
  ].join('\n');
}

const EXAMPLES = `
Examples:
  ringback demo                                  at ports ${DEFAULT_PORT} and ${DEFAULT_APP_PORT}
  ringback demo --port 5000 --app-port 5001      where those are taken
  ringback demo --script accept                  whoever is called accepts, after 2 seconds
`;
