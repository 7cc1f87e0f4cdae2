/**
 * Builds `sw.js`. After the app is built, the service worker is built beside it as one file. The worker contains the
 * hash of every file of the app.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { afterBuild } from '../build/after-build.ts';

/**
 * A file that the worker caches. The browser checks its content after each fetch, so no other content is cached (S40).
 */
export interface KeptFile {
  readonly url: string;
  /** The hash of the content. Null when the file's name contains a hash. */
  readonly revision: string | null;
  readonly integrity: string;
}

/**
 * The files that the worker does not cache: screenshots of the manifest, files for developers, and compressed variants.
 */
const LEFT_OUT = /^screenshots\/|\.(?:map|br|gz)$|^sw\.js$|^manifest\.json$|^\.vite\//;

/** Returns every file of the built app in `dir`, sorted by name. */
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

/** Returns the plugin of the app's build. */
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
