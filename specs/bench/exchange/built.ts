/** The servers of a bench as users run them: built JavaScript, without the helpers of a compiler at run time. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

/** Builds servers of this folder. Returns their files by name, which are removed when the process ends. */
export async function buildServers<Name extends string>(
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>>> {
  // Within the project, so that the built servers find its packages.
  const folder = resolve(mkdtempSync(join('node_modules', '.ringback-bench-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'node20',
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(import.meta.dirname, `${name}.ts`)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)])) as Record<Name, string>;
}
