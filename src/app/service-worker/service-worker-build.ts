/**
 * How `sw.js` comes to be: after the app is built, the worker is built beside it as one file of its own, which knows every
 * file of the app by its content.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { afterBuild } from '../build/after-build.ts';

/** A file that the worker keeps. Its content is checked when it is fetched: nothing else takes its place (S40). */
export interface KeptFile {
  readonly url: string;
  /** Null where the name of the file says it already. */
  readonly revision: string | null;
  readonly integrity: string;
}

/** What is looked at before the app is installed, or by developers alone; and files in another coding, which are no files of their own. */
const LEFT_OUT = /^screenshots\/|\.(?:map|br|gz)$|^sw\.js$|^manifest\.json$|^\.vite\//;

/** Every file of the built app in `dir`, by its name. */
export async function keptFiles(dir: string): Promise<KeptFile[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const digest = createHash('sha256')
        .update(await readFile(join(dir, path)))
        .digest();
      return {
        url: `/${path}`,
        revision: path.startsWith('assets/') ? null : digest.toString('hex').slice(0, 16),
        integrity: `sha256-${digest.toString('base64')}`,
      };
    }),
  );
}

/** The plugin of the app's build. */
export const serviceWorkerBuild = (): Plugin =>
  afterBuild('ringback-service-worker', async (dir) => buildWorker(dir, await keptFiles(dir)));

async function buildWorker(outDir: string, files: readonly KeptFile[]): Promise<void> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { __PRECACHE__: JSON.stringify(files), 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('worker.ts', import.meta.url)),
        output: { format: 'iife', entryFileNames: 'sw.js' },
      },
    },
  });
}
