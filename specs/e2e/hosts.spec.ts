/** Tests small host applications that install the packed library in different ways: they load, compile and call. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { parse } from 'acorn';
import { build } from 'vite';
import { type Sim, startSim } from '../../sim/server/start-sim.ts';
import { readImports } from '../../tools/checks/imports/source-imports.ts';
import { LIGHT_CHROMIUM } from './support/browsers.ts';
import { openWorkshop, run, runTests, serveFolder, type Workshop } from './support/host-projects.ts';
import { test as workerTest } from './support/worker-test.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';

/**
 * Defines tests with an exchange of their own. The commands of other tests stop this process for a while. An exchange
 * that lived through such a pause would count as overloaded, and refuse dials.
 */
const test = workerTest.extend<{ readonly sim: Sim }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright wants its fixtures destructured, also when there are none
  sim: async ({}, use) => {
    const sim = await startSim({ demo: true, port: 0 });
    await use(sim);
    await sim.close();
  },
});

// All projects share one package.
test.describe.configure({ mode: 'default' });

let workshop: Workshop;
test.beforeAll(() => {
  workshop = openWorkshop();
});
test.afterAll(() => workshop.remove());

/** Calls from Alice to Bob with two pages of a project, and hangs up. */
async function callsFrom(browser: Browser, sim: Sim, project: string, ended: string): Promise<void> {
  const server = await serveFolder(project);
  const faults: string[] = [];
  const open = async (query: Record<string, string>): Promise<Page> => {
    const page = await browser.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    await page.goto(`${server.url}?${new URLSearchParams({ api: sim.url, ...query })}`);
    return page;
  };
  const bob = await open({ user: 'bob' });
  await expect(bob.locator('output')).toHaveText('ready');
  const alice = await open({ user: 'alice', callee: 'bob' });
  await expect(alice.locator('output')).toHaveText('connected, alice in ringback-demo');
  await expect(bob.locator('output')).toHaveText('connected, bob in ringback-demo');
  const hasFrames = (page: Page) => page.locator('#remote').evaluate((video: HTMLVideoElement) => video.videoWidth > 0);
  for (const page of [alice, bob]) await expect.poll(() => hasFrames(page)).toBe(true);
  await alice.locator('body').click();
  for (const page of [alice, bob]) await expect(page.locator('output')).toHaveText(ended);
  expect(faults).toEqual([]);
  for (const page of [alice, bob]) await page.close();
  await server.close();
}

/** The parts of the report of a runner that these tests read. */
interface PlaywrightReport {
  readonly stats: object;
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly ok: boolean;
      readonly tests: readonly {
        readonly results: readonly {
          readonly attachments: readonly { readonly name: string; readonly body?: string }[];
        }[];
      }[];
    }[];
  }[];
}
interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly title: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const NO_WINDOW = {
  name: 'ERR_CALL_IS_NOT_SUPPORTED',
  message: 'Call needs a window object: initialise it in a browser.',
};

test('the package holds each bundle with its types and its source map', () => {
  const bundles = ['ringback.js', 'ringback.min.js', 'ringback.cjs', 'ringback.global.js'];
  for (const name of [...bundles, 'ringback.es2019.js', 'ringback.es2019.cjs']) {
    expect(workshop.packed).toEqual(expect.arrayContaining([`dist/lib/${name}`, `dist/lib/${name}.map`]));
    expect(readFileSync(`dist/lib/${name}`, 'utf8')).toContain(`//# sourceMappingURL=${name}.map`);
  }
  for (const name of ['ringback.d.ts', 'ringback.d.cts']) {
    expect(workshop.packed).toContain(`dist/lib/${name}`);
    expect(readImports(name, readFileSync(`dist/lib/${name}`, 'utf8'))).toEqual({ imports: [] });
  }
  for (const name of ['react.js', 'react.d.ts', 'react.d.cts']) {
    const { imports } = readImports(name, readFileSync(`dist/lib/${name}`, 'utf8'));
    expect([...new Set(imports.map(({ specifier }) => specifier?.split('/')[0]))]).toEqual(['react']);
  }
  expect(workshop.packed.filter((path) => /^(src|sim|cli|specs)\//.test(path))).toEqual([]);
});

test('host 20: an ES module loads without a window, and init reports what is missing', () => {
  const project = workshop.install('node-esm');
  expect(JSON.parse(run(project, process.execPath, 'main.mjs'))).toEqual({
    versions: ['1.10.20', '1.10.20', '1.10.20'],
    code: ErrorCode.ERR_REQUEST_FAILED,
    sameFunction: true,
    currentUser: null,
    refusal: NO_WINDOW,
  });
});

test('host 20: a CommonJS module has the enumerations, and live bindings', () => {
  const project = workshop.install('node-commonjs');
  expect(JSON.parse(run(project, process.execPath, 'main.cjs'))).toEqual({
    sdkVersion: '1.10.20',
    sounds: ['DIALING', 'RINGING', 'RECONNECTING', 'RECONNECTED'],
    result: 'NO_ANSWER',
    sameFunction: true,
    isLive: true,
    isVersioned: true,
    refusal: NO_WINDOW,
  });
});

test('the files for old bundlers are ES2019, and the other files are newer', () => {
  const manifest = readFileSync('dist/packages/ringback/package.json', 'utf8');
  const { main, module } = JSON.parse(manifest) as { main: string; module: string };
  const parsed = (path: string, sourceType: 'module' | 'script') =>
    parse(readFileSync(path, 'utf8'), { ecmaVersion: 2019, sourceType }).body.length;
  expect(parsed(main, 'script')).toBeGreaterThan(0);
  expect(parsed(module, 'module')).toBeGreaterThan(0);
  expect(() => parsed('dist/lib/ringback.core.js', 'module')).toThrow(SyntaxError);
});

test('webpack 4 bundles the library without extra loaders, and the page calls', async ({ browser, sim }) => {
  const project = workshop.install('webpack-4', ['webpack']);
  const told = run(project, process.execPath, 'build.js');
  expect(told).toContain('Version: webpack 4.');
  expect(told).not.toMatch(/ERROR|WARNING/);
  await callsFrom(browser, sim, project, 'ended: COMPLETED');
});

test('TypeScript 4.2 compiles a strict host, declarations included, and the page calls', async ({ browser, sim }) => {
  const project = workshop.install('typescript-4.2', ['typescript']);
  expect(run(project, 'node_modules/typescript/bin/tsc', '--version')).toContain('Version 4.2.');
  run(project, 'node_modules/typescript/bin/tsc', '-p', '.');
  await callsFrom(browser, sim, project, 'ended: completed, begun true');
});

test('the types compile in the strictest host, with every module resolution and import style', () => {
  const project = workshop.install('typescript');
  const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
  for (const config of ['tsconfig.node16.json', 'tsconfig.bundler.json']) {
    const files = run(project, tsc, '-p', config, '--listFiles')
      .split('\n')
      .filter((path) => path.includes('/ringback/'));
    expect(files.length, config).toBeGreaterThan(1);
    expect(files.filter((path) => !/\/dist\/lib\/[\w.]+\.d\.c?ts$/.test(path))).toEqual([]);
  }
});

test('a scenario in TypeScript compiles against the package, and its command runs it with its built-in scenarios', () => {
  const manifest = readFileSync('dist/packages/ringback-lab/package.json', 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const project = workshop.install('scenarios', Object.keys(dependencies), 'ringback-lab');
  run(project, join(process.cwd(), 'node_modules/.bin/tsc'), '-p', '.');
  const ringback = (...words: string[]) =>
    run(project, process.execPath, 'node_modules/ringback-lab/dist/cli/main.js', ...words);
  expect(ringback('run', 'ring.scenario.ts')).toContain('2 passed, 0 failed');
  expect(ringback('scenarios', 'list')).toMatch(/^direct\/happy-video +1 {2}A video call/m);
  expect(ringback('scenarios', 'print', 'direct/offer-retry', '-f', 'yaml')).toMatch(
    /^scenario: direct\/offer-retry\n/,
  );
  expect(ringback('replay', 'direct/offer-retry', '1', '--until', 'alice.call.state=connected')).toContain('at 6.0');
  expect(JSON.parse(ringback('schema'))).toMatchObject({ title: 'A Ringback scenario, or a fragment of one' });
});

/** Makes the project of a host whose tests use the test kit, and compiles its tests against the types of the package. */
function installTests(name: string, ...needs: readonly string[]): string {
  const manifest = readFileSync('dist/packages/ringback-lab/package.json', 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  const installed = [...Object.keys(dependencies), '@types/node', ...needs];
  const project = workshop.install(name, installed, ['ringback', 'ringback-lab']);
  run(project, join(process.cwd(), 'node_modules/.bin/tsc'), '-p', '.');
  return project;
}

test('a host tests its page in Playwright with the test kit, and a failed test has the ladder', () => {
  const project = installTests('kit-playwright', '@playwright/test', 'playwright', 'playwright-core');
  const { stdout } = runTests(project, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=json'], {
    LAUNCH_OPTIONS: JSON.stringify(LIGHT_CHROMIUM.launchOptions),
  });
  const { stats, suites } = JSON.parse(stdout) as PlaywrightReport;
  expect(stats).toMatchObject({ expected: 4, unexpected: 1, flaky: 0 });
  const failed = suites.flatMap(({ specs }) => specs).find(({ ok }) => !ok);
  expect(failed?.title).toBe('fails, since bob declines');
  const files = failed?.tests[0]?.results[0]?.attachments ?? [];
  const contents = (name: string) =>
    Buffer.from(files.find((one) => one.name === name)?.body ?? '', 'base64').toString();
  expect(contents('ladder.txt')).toMatch(/\|<-+ decline --\|/);
  expect(contents('ladder.svg')).toContain('<svg');
});

test('a host made of the React binding tests its phone and its room with the test kit, in strict mode', async () => {
  const types = ['@types/react', '@types/react-dom'];
  const needs = ['@playwright/test', 'playwright', 'playwright-core', 'vite', 'react', 'react-dom', ...types];
  const project = installTests('react-kit', ...needs);
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    // Only the development build of React runs effects twice.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { minify: false },
  });
  // The library is a file of its own, which the first file loads later.
  const files = readdirSync(join(project, 'dist/assets'));
  expect(files.filter((name) => name.endsWith('.js')).length).toBeGreaterThan(1);
  const { stdout } = runTests(project, ['node_modules/@playwright/test/cli.js', 'test', '--reporter=json'], {
    LAUNCH_OPTIONS: JSON.stringify(LIGHT_CHROMIUM.launchOptions),
  });
  const { stats, suites } = JSON.parse(stdout) as PlaywrightReport;
  const failed = suites.flatMap(({ specs }) => specs).filter(({ ok }) => !ok);
  expect(failed.map(({ title }) => title)).toEqual(['fails, since bob declines']);
  expect(stats).toMatchObject({ expected: 4, unexpected: 1, flaky: 0 });
});

test('a host tests its rules in Vitest with the test kit, and a failed test has the ladder', () => {
  const project = installTests('kit-vitest', 'vitest', '@types/ws');
  const { stdout } = runTests(project, ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json']);
  const { testResults } = JSON.parse(stdout) as VitestReport;
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(results.map(({ status, title }) => `${status}: ${title}`)).toEqual([
    'passed: the call of a stranger is declined',
    'passed: the call of a favourite rings for a minute',
    'failed: fails, since a stranger is not connected',
  ]);
  const [told = ''] = results.at(-1)?.failureMessages ?? [];
  expect(told).toContain('bob.call.outcome is declined, not connected');
  expect(told).toMatch(/\|-- decline -+>\|/);
});

test('host 20: a page with a script tag calls under the policy script-src self', async ({ browser, sim }) => {
  const project = workshop.install('script-tag');
  const server = await serveFolder(project, { headers: { 'content-security-policy': "script-src 'self'" } });
  const faults: string[] = [];
  const open = async (query: Record<string, string>): Promise<Page> => {
    const page = await browser.newPage();
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    await page.goto(`${server.url}?${new URLSearchParams({ api: sim.url, ...query })}`);
    return page;
  };
  const bob = await open({ user: 'bob' });
  await expect(bob.locator('output')).toHaveText('ready');
  const alice = await open({ user: 'alice', callee: 'bob' });
  await expect(alice.locator('output')).toHaveText('connected, alice in ringback-demo');
  await expect(bob.locator('output')).toHaveText('connected, bob in ringback-demo');
  const hasFrames = (page: Page) => page.locator('#remote').evaluate((video: HTMLVideoElement) => video.videoWidth > 0);
  for (const page of [alice, bob]) await expect.poll(() => hasFrames(page)).toBe(true);
  await alice.locator('body').click();
  for (const page of [alice, bob]) await expect(page.locator('output')).toHaveText('ended: COMPLETED');
  for (const page of [alice, bob]) await expect(page.getByText('violation')).toHaveCount(0);
  expect(faults).toEqual([]);
  // The policy is active: the browser refuses and reports a violation.
  await alice.evaluate(() => document.body.append(Object.assign(document.createElement('script'), { text: '1' })));
  await expect(alice.getByText('violation: script-src-elem inline')).toHaveCount(1);
  for (const page of [alice, bob]) await page.close();
  await server.close();
});

test('host 20: effects that strict mode runs twice make one listener, one channel and one call', async ({
  browser,
  sim,
}) => {
  const project = workshop.install('react', ['react', 'react-dom']);
  await build({
    root: project,
    configFile: false,
    logLevel: 'error',
    mode: 'development',
    // Only the development build of React runs effects twice.
    define: { 'process.env.NODE_ENV': '"development"' },
    build: { outDir: 'built', minify: false },
  });
  const server = await serveFolder(join(project, 'built'));
  const faults: string[] = [];
  const open = async (query: Record<string, string>) => {
    const page = await browser.newPage();
    const channels = new Set<string>();
    let opened = 0;
    page.on('websocket', (socket) => {
      const name = `channel ${(opened += 1)}`;
      channels.add(name);
      socket.on('close', () => channels.delete(name));
    });
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    await page.goto(`${server.url}?${new URLSearchParams({ api: sim.url, ...query })}`);
    const told = () => page.locator('li').allTextContents();
    const calls = () => page.evaluate('ongoing()');
    return { page, channels, told, calls, press: (name: string) => page.getByRole('button', { name }).click() };
  };
  const bob = await open({ user: 'bob' });
  await expect(bob.page.locator('output')).toHaveText('ready');
  await expect.poll(() => bob.channels.size).toBe(1);
  const alice = await open({ user: 'alice', callee: 'bob' });
  const expectOneCall = async () => {
    await expect.poll(alice.told).toEqual(['connected']);
    await expect.poll(async () => (await bob.told()).at(-1)).toBe('connected');
    for (const { calls } of [alice, bob]) await expect.poll(calls).toBe(1);
    for (const { channels } of [alice, bob]) await expect.poll(() => channels.size).toBe(1);
  };
  await expectOneCall();
  // The call of the first effect, which ended at once, may have rung too. No call rings twice.
  const rings = async () => (await bob.told()).filter((word) => word.startsWith('rung'));
  const before = await rings();
  expect(new Set(before).size).toBe(before.length);
  expect(before).not.toEqual([]);

  await alice.press('leave');
  await expect.poll(bob.calls).toBe(0);
  await expect.poll(alice.calls).toBe(0);
  await expect.poll(() => alice.channels.size).toBe(0);
  await alice.press('come back');
  await expectOneCall();
  expect((await rings()).length).toBeGreaterThan(before.length);
  expect(new Set(await rings()).size).toBe((await rings()).length);
  await alice.press('leave');
  await expect.poll(bob.calls).toBe(0);
  expect(faults).toEqual([]);
  for (const { page } of [alice, bob]) await page.close();
  await server.close();
});
