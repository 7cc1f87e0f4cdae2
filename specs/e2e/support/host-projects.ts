/** Small applications in specs/hosts, each a project of its own that has the packed library installed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import sirv from 'sirv';
import { listen, stopListening } from '../../../sim/server/listen.ts';
import { scaled } from '../../run/machine-factor.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Runs a command to its end. @throws Error with what it printed where it fails. */
export function run(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: scaled(60_000),
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}

export interface Workshop {
  /** The files of the package, as paths inside it. */
  readonly packed: readonly string[];
  /** Makes a project of specs/hosts/`name`, with the package and whatever else it needs in its node_modules. */
  install(name: string, needs?: readonly string[]): string;
  remove(): void;
}

/**
 * Packs the package, and makes projects that have it, all in a folder of their own. The library needs no other package,
 * so a project is given none but those it names; they are the ones installed here.
 *
 * @throws Error with the way out when nothing is built.
 */
export function openWorkshop(): Workshop {
  if (!existsSync(join(ROOT, 'dist/lib/ringback.js'))) {
    throw new Error('The library is not built, and these tests pack it: run "npm run build" first.');
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ringback-hosts-')));
  const [{ filename, files }] = JSON.parse(
    run(ROOT, 'npm', 'pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder),
  ) as [{ filename: string; files: { path: string }[] }];
  return {
    packed: files.map(({ path }) => path),
    install(name, needs = []) {
      const project = join(folder, name);
      const library = join(project, 'node_modules/ringback');
      cpSync(join(ROOT, 'specs/hosts', name), project, { recursive: true });
      mkdirSync(library, { recursive: true });
      run(library, 'tar', '-xzf', join(folder, filename), '--strip-components=1');
      for (const need of needs) {
        mkdirSync(dirname(join(project, 'node_modules', need)), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules', need), join(project, 'node_modules', need));
      }
      return project;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Served {
  /** For every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The document to show where the folder has none. */
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
