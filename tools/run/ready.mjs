// @ts-check
/**
 * Makes a checkout ready: installs the dependencies that package-lock.json asks for, and builds what has changed. Plain
 * JavaScript, since it runs before anything is installed.
 *
 *   node tools/run/ready.mjs install    dependencies only
 *   node tools/run/ready.mjs build      dependencies and build
 *   node tools/run/ready.mjs prepare    what npm runs after an install: the build alone, whose failure fails no install
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const OLDEST_NODE = [20, 19];
/** Set while this file installs: it builds by itself afterwards, and tells a failed build from a failed install. */
const NO_PREPARE = 'RINGBACK_NO_PREPARE';
/** The sources of the build. The time of the stamp is the start of the build. */
const SOURCES = [
  ...['src', 'sim', 'cli', 'fixtures', 'packages', 'tools/run', 'tools/package'],
  ...[
    'package.json',
    'package-lock.json',
    'vite.config.ts',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.library.json',
  ],
];
const STAMP = 'dist/.built';

/** @param {string} reason @returns {never} */
function giveUp(reason) {
  console.error(reason);
  process.exit(1);
}

/** Runs npm, and returns what went wrong, if anything did. @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
function npm(args, env = {}) {
  const { status, signal, error } = spawnSync('npm', args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) return `npm did not start: ${error.message}`;
  return status === 0 ? undefined : `npm ${args.join(' ')} failed (${signal ?? `exit ${status}`})`;
}

/** @param {string} path @returns {Record<string, { version?: string, optional?: boolean }>} */
const lockedPackages = (path) => JSON.parse(readFileSync(path, 'utf8')).packages ?? {};

/** Tells whether node_modules holds what package-lock.json says, links to workspaces too. What is optional may be for another machine. */
function isInstalled() {
  if (!existsSync('node_modules/.package-lock.json')) return false;
  const installed = lockedPackages('node_modules/.package-lock.json');
  return Object.entries(lockedPackages('package-lock.json')).every(
    ([path, { version, optional }]) =>
      path === '' || optional || (path in installed && installed[path]?.version === version),
  );
}

/** When anything below `path` last changed; folders count too, so that a deleted file shows. @param {string} path @returns {number} */
function lastChange(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The build itself writes the generated folders.
  const names = readdirSync(path).filter((name) => !/^generated(?:-for-tests)?$/.test(name));
  return Math.max(0, ...names.map((name) => lastChange(join(path, name))));
}

const isBuilt = () => existsSync(STAMP) && Math.max(...SOURCES.map(lastChange)) <= statSync(STAMP).mtimeMs;

function install() {
  if (isInstalled()) return;
  console.log('installing the dependencies (npm ci)');
  const trouble = npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { [NO_PREPARE]: '1' });
  if (trouble) giveUp(trouble);
}

/** Builds what has changed, and returns what went wrong, if anything did. */
const build = () => (isBuilt() ? undefined : npm(['run', '--silent', 'build']));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < (OLDEST_NODE[0] ?? 0) || (major === OLDEST_NODE[0] && minor < (OLDEST_NODE[1] ?? 0))) {
  giveUp(`Node ${process.versions.node} is too old: Ringback needs ${OLDEST_NODE.join('.')} or later`);
}

switch (process.argv[2]) {
  case 'install':
    install();
    break;
  case 'build': {
    install();
    const trouble = build();
    if (trouble) giveUp(trouble);
    break;
  }
  case 'prepare': {
    if (process.env[NO_PREPARE]) break;
    // An install without the development dependencies has nothing to build with.
    const hasTools = existsSync('node_modules/.bin/tsx');
    const trouble = hasTools ? build() : 'the development dependencies are not installed';
    if (trouble) console.error(`The packages are installed, but Ringback is not built: ${trouble}`);
    break;
  }
  default:
    giveUp('usage: node tools/run/ready.mjs install | build | prepare');
}
