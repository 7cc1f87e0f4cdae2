/** What a library weighs for the page that loads it. */
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** The calling library, as apps import it. */
export const LIBRARY = 'src/calls/package.ts';

/** The most that the library may weigh, gzipped; 1 kB is 1000 bytes. */
export const LARGEST = { whole: 60_000, withoutPako: 46_000 } as const;

export interface Weight {
  /** Bytes. */
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles everything an entry exports, with all it depends on but what is `external`, and weighs it. */
export async function weigh(entry: string, external: readonly string[] = []): Promise<Weight> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      // Vite leaves the white space of an ES library to whoever bundles it next; weighed is what a page gets.
      rolldownOptions: { external: [...external], output: { minify: true } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`${entry} was not bundled`);
  const code = Buffer.from(output.output.map((file) => ('code' in file ? file.code : '')).join(''));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}
