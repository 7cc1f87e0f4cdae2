/** The servers of a bench as users run them: built JavaScript, without the helpers of a compiler at run time. */
import { join } from 'node:path';
import { build } from 'vite';

/** Builds servers of this folder into another folder, where they find the packages. Returns their files by name. */
export async function buildServers(names: readonly string[], folder: string): Promise<Map<string, string>> {
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
  return new Map(names.map((name) => [name, join(folder, `${name}.mjs`)]));
}
