/**
 * Defines `test` with hosts of the library in separate browser contexts, on a separate exchange whose media can be
 * cut.
 */
import { expect, type Page } from '@playwright/test';
import { startSim, type Sim } from '../../../sim/server/start-sim.ts';
import { DEFAULT_APP_ID } from '../../../sim/server/defaults.ts';
import { createCuttablePath, type CuttablePath } from './cuttable-path.ts';
import type * as PageHost from './page-host.ts';
import type { HostDevices } from './page-host.ts';
import { test as base } from './worker-test.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

declare global {
  /** The global that the bundled script makes in the page. */
  var pageHost: typeof PageHost;
}

export interface Host extends HostDevices {
  readonly page: Page;
  readonly userId: string;
}

interface HostOptions extends HostDevices {
  readonly userAgent?: string;
  /** The permissions of the page. Default: camera and microphone. */
  readonly permissions?: string[];
}

interface Hosts {
  readonly path: CuttablePath;
  readonly sim: Sim;
  readonly simUrl: string;
  /** A signed-in user who accepts every call. */
  readonly host: (userId: string, options: HostOptions) => Promise<Host>;
}

/* oxlint-disable no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none */
export const test = base.extend<Hosts>({
  path: async ({}, use) => use(createCuttablePath()),
  sim: async ({ path }, use) => {
    const sim = await startSim({ demo: true, port: 0, mediaPath: path.mediaPath });
    await use(sim);
    await sim.close();
  },
  simUrl: async ({ sim }, use) => use(sim.url),
  host: async ({ browser, hostScript, libraryUrl, simUrl }, use) => {
    const contexts: { close(): Promise<void> }[] = [];
    await use(async (userId, { userAgent, permissions = ['camera', 'microphone'], ...devices }) => {
      const context = await browser.newContext({ permissions, ...(userAgent ? { userAgent } : {}) });
      contexts.push(context);
      await context.addInitScript({ content: `${hostScript}\npageHost.install(${JSON.stringify(devices)});` });
      const page = await context.newPage();
      await page.goto(libraryUrl);
      await page.waitForFunction(() => 'calls' in globalThis);
      await page.evaluate(([id, appId, api]) => pageHost.signIn(id, appId, api), [
        userId,
        DEFAULT_APP_ID,
        simUrl,
      ] as const);
      return { page, userId, ...devices };
    });
    for (const context of contexts) await context.close();
  },
});

export const told = ({ page }: Host): Promise<string[]> => page.evaluate(() => pageHost.told);

/** Waits until a host has received exactly these events. */
export const expectTold = (host: Host, ...last: readonly string[]): Promise<void> =>
  expect
    .poll(async () => (await told(host)).slice(-last.length), { timeout: scaled(30_000), intervals: [100] })
    .toEqual(last);

/** Starts a call between two hosts, and waits until its media is connected on both sides. */
export async function connect(caller: Host, callee: Host): Promise<void> {
  await caller.page.evaluate((userId) => pageHost.dial(userId), callee.userId);
  for (const host of [caller, callee]) {
    await expectTold(host, 'connected');
    const theirs = (host === caller ? callee : caller).colour;
    await expectShown(host, 'remote', theirs);
  }
}

export const expectShown = ({ page }: Host, view: 'local' | 'remote', colour: PageHost.Colour): Promise<void> =>
  expect.poll(() => page.evaluate((which) => pageHost.shown(which), view), { intervals: [100] }).toBe(colour);
