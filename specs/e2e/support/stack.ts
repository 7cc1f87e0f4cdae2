/** An exchange with the demo world and the built app, on free ports, in the process of the test. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { appConfigFor, startAppServer } from '../../../sim/server/start-app-server.ts';
import { type SimOptions, startSim } from '../../../sim/server/start-sim.ts';

export const APP = fileURLToPath(new URL('../../../dist/app', import.meta.url));

export interface Stack {
  /** Where the exchange answers. */
  readonly simUrl: string;
  /** Where the app is. */
  readonly appUrl: string;
  close(): Promise<void>;
}

/** @throws Error with the way out when the app is not built. */
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
