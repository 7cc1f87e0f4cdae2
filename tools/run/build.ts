/**
 * `npm run build`: dist/src, dist/sim and dist/cli for Node, dist/app for the browser, dist/lib for other people's
 * apps, dist/scenario-page for the pages of scenarios, dist/packages for the registry, dist/gallery for the tests that
 * look at every state of the app.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { buildCommands } from './build-commands.ts';
import { buildLibrary } from './build-library.ts';
import { buildPackages } from './build-packages.ts';
import { buildScenarioPage } from './build-scenario-page.ts';
import { ONE_CHECKER, ONE_GO_THREAD } from './go-tools.ts';

const STAMP = 'dist/.built';
const FOR_NODE = ['dist/src', 'dist/sim', 'dist/cli', 'dist/fixtures'];
const started = new Date();

function run(tool: string, args: readonly string[]): void {
  const { status } = spawnSync(`node_modules/.bin/${tool}`, args, {
    stdio: 'inherit',
    env: { ...process.env, ...ONE_GO_THREAD },
  });
  if (status !== 0) throw new Error(`${tool} ${args.join(' ')} failed`);
}

/** Runs one step. Prints its output and its duration. */
async function step(makes: string, build: () => void | Promise<void>): Promise<void> {
  const from = performance.now();
  await build();
  console.log(`built ${makes} (${((performance.now() - from) / 1000).toFixed(1)} s)`);
}

try {
  rmSync(STAMP, { force: true });
  await step('the messages', () => run('tsx', ['tools/run/messages.ts']));
  await step('dist/src, dist/sim and dist/cli', () => {
    for (const folder of FOR_NODE) rmSync(folder, { recursive: true, force: true });
    run('tsc', ['-p', 'tsconfig.build.json', ONE_CHECKER]);
    run('tsc', ['-p', 'tsconfig.scenarios.json', ONE_CHECKER]);
  });
  await step('dist/cli/main.js', async () => {
    await buildCommands();
    chmodSync('dist/cli/main.js', 0o755);
  });
  await step('dist/lib', buildLibrary);
  await step('dist/scenario-page', buildScenarioPage);
  await step('dist/app', () => run('vite', ['build', '--logLevel', 'warn']));
  await step('dist/packages', buildPackages);
  await step('dist/gallery', () =>
    run('vite', ['build', '--config', 'src/app/testing/gallery/vite.config.ts', '--logLevel', 'warn']),
  );
  mkdirSync('dist', { recursive: true });
  writeFileSync(STAMP, '');
  // A source that changes during the build is newer than the stamp.
  utimesSync(STAMP, started, started);
} catch (error) {
  console.error(`the build stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
