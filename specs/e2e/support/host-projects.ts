/** Small host applications in specs/hosts. Each is a project with the packed library installed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import sirv from 'sirv';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Packages of the toolchains workspace, which the checkout has in a newer version. */
const MODULES = ['specs/hosts/toolchains/node_modules', 'node_modules'].map((folder) => join(ROOT, folder));

/** The environment without the services of this run of tests, which no host application may use. */
const WITHOUT_SERVICES = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !['DATABASE_URL', 'REDIS_URL', 'TURN_URL', 'JANUS_URL'].includes(name),
  ),
);

/**
 * Runs a command to its end.
 *
 * @throws Error with the output of a command that fails.
 */
export function run(cwd: string, command: string, ...args: readonly string[]): string {
  // The runner of these tests asks its processes for colours.
  const { status, stdout, output, error } = end(cwd, command, args, { FORCE_COLOR: undefined });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? output}`);
  return stdout;
}

/** Runs the tests of a project to their end, of which some fail. Returns the output of the runner. */
export function runTests(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { readonly stdout: string; readonly output: string } {
  const { status, stdout, output, error } = end(cwd, process.execPath, args, env);
  if (status !== 1) throw new Error(`${args.join(' ')} ended with ${status}: ${error?.message ?? output}`);
  return { stdout, output };
}

function end(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const ended = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: scaled(60_000),
    env: { ...WITHOUT_SERVICES, ...env },
  });
  return { ...ended, output: `${ended.stdout}${ended.stderr}` };
}

type PackageName = 'ringback' | 'ringback-lab';

export interface Workshop {
  /** Returns the paths of all files in the library's package. */
  readonly packed: readonly string[];
  /**
   * Makes a project from specs/hosts/`name`, with one or both packages and the other packages that it needs. Returns
   * its folder.
   */
  install(name: string, needs?: readonly string[], own?: PackageName | readonly PackageName[]): string;
  remove(): void;
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs one of the packages of dist/packages into a folder.
 *
 * @throws Error with the remedy when it is not built.
 */
export function pack(name: PackageName, folder: string): Packed {
  const source = join(ROOT, 'dist/packages', name);
  if (!existsSync(source)) throw new Error(`${name} is not built, and these tests pack it: run "npm run build" first.`);
  const words = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder];
  const [packed] = JSON.parse(run(source, 'npm', 'pack', ...words)) as [Packed];
  return packed;
}

/**
 * Packs the library, and the tools for projects that need them, and makes projects with them in a temporary folder.
 * The library has no dependency, so a project gets only the packages that it names. They are copied from this
 * checkout.
 *
 * @throws Error with the remedy when nothing is built.
 */
export function openWorkshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ringback-hosts-')));
  const library = pack('ringback', folder);
  return {
    packed: library.files.map(({ path }) => path),
    install(name, needs = [], own = 'ringback') {
      const project = join(folder, name);
      cpSync(join(ROOT, 'specs/hosts', name), project, { recursive: true });
      for (const one of [own].flat()) {
        const installed = join(project, 'node_modules', one);
        const { filename } = one === 'ringback' ? library : pack(one, folder);
        mkdirSync(installed, { recursive: true });
        run(installed, 'tar', '-xzf', join(folder, filename), '--strip-components=1');
      }
      for (const need of needs) {
        mkdirSync(dirname(join(project, 'node_modules', need)), { recursive: true });
        const modules = MODULES.find((one) => existsSync(join(one, need)));
        if (modules === undefined) throw new Error(`${need} is not installed: run "npm ci".`);
        symlinkSync(join(modules, need), join(project, 'node_modules', need));
      }
      return project;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Served {
  /** The headers of every response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The document for a folder without one. */
  readonly html?: string;
}

export async function serveFolder(folder: string, { headers = {}, html = '' }: Served = {}) {
  const named = new Map(Object.entries(headers));
  const files = sirv(folder, { dev: true, setHeaders: (response) => response.setHeaders(named) });
  const server: Server = createServer((request, response) => {
    files(request, response, () => void response.setHeader('content-type', 'text/html').end(html));
  });
  const port = await listen(server, 0, '127.0.0.1');
  return { url: `http://127.0.0.1:${port}/`, close: () => stopListening(server) };
}
