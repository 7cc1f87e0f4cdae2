/** Tests the example of a host's first test in README.md, in a project with the printed files and both packages. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { listen, stopListening } from '../../sim/server/listen.ts';
import { LIGHT_CHROMIUM } from './support/browsers.ts';
import { openWorkshop, run } from './support/host-projects.ts';
import { test } from './support/worker-test.ts';

/** Returns the files that the section prints: a name in bold, and the next block of code. */
function printedFiles(): ReadonlyMap<string, string> {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('## Write a first test of your app');
  const files = section.matchAll(/\*\*([\w.]+)\*\*[^]*?```\w+\n([^]*?)```/g);
  return new Map([...files].map(([, name = '', text = '']) => [name, text]));
}

/** Returns a port that no server of this machine uses. */
async function freePort(): Promise<string> {
  const server = createServer();
  const port = await listen(server, 0, '127.0.0.1');
  await stopListening(server);
  return String(port);
}

test('the first test of README.md passes with the printed files', async () => {
  const files = printedFiles();
  expect([...files.keys()]).toEqual(['index.html', 'calls.spec.js', 'playwright.config.js']);
  const workshop = openWorkshop();
  try {
    const manifest = readFileSync('dist/packages/ringback-lab/package.json', 'utf8');
    const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
    const needs = [...Object.keys(dependencies), '@playwright/test', 'vite'];
    const project = workshop.install('readme', needs, ['ringback', 'ringback-lab']);
    const bin = join(project, 'node_modules/.bin');
    mkdirSync(bin);
    symlinkSync('../ringback-lab/dist/cli/main.js', join(bin, 'ringback'));
    symlinkSync('../vite/bin/vite.js', join(bin, 'vite'));
    const [simPort, appPort] = [await freePort(), await freePort()];
    const browser = JSON.stringify(LIGHT_CHROMIUM.launchOptions.executablePath);
    for (const [name, text] of files) {
      const here = text.replaceAll('4870', simPort).replaceAll('5173', appPort);
      writeFileSync(join(project, name), here.replace('process.env.CHROMIUM_PATH', browser));
    }
    const cli = 'node_modules/@playwright/test/cli.js';
    expect(run(project, process.execPath, cli, 'test', '--reporter=line')).toContain('2 passed');
  } finally {
    workshop.remove();
  }
});
