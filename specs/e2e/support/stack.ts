/** Starts an exchange with the demo world, and the built app, on free ports in the process of the test. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { appConfigFor, startAppServer } from '../../../sim/server/start-app-server.ts';
import { type SimOptions, startSim } from '../../../sim/server/start-sim.ts';

export const APP = fileURLToPath(new URL('../../../dist/app', import.meta.url));

export interface Stack {
  /** The address of the exchange. */
  readonly simUrl: string;
  /** The address of the app. */
  readonly appUrl: string;
  close(): Promise<void>;
}

/**
 * Starts the servers.
 *
 * @throws Error with the remedy when the app is not built.
 */
export async function startStack(options: Partial<SimOptions> = {}): Promise<Stack> {
  if (!existsSync(`${APP}/index.html`)) {
    throw new Error('The app is not built, and these tests call through it: run "npm run build" first.');
  }
  const sim = await startSim({ demo: true, port: 0, ...options });
  const app = await startAppServer({ dir: APP, port: 0, config: appConfigFor(sim.url) });
  return {
    simUrl: sim.url,
    appUrl: app.url,
    async close() {
      await app.close();
      await sim.close();
    },
  };
}
