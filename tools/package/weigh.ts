/** What a library weighs for the page that loads it. */
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** The calling library, as apps import it. */
export const LIBRARY = 'src/calls/package.ts';

/** The syntax of the builds for browsers, and for bundlers that read `exports`. */
export const SYNTAX = 'es2022';

/** The syntax of the builds for old bundlers, which parse nothing newer: webpack 4, the first Vite, Parcel 1. */
export const OLDEST_SYNTAX = 'es2019';

/** The most that the library may weigh, gzipped; 1 kB is 1000 bytes. */
export const LARGEST = { whole: 62_000, withoutPako: 48_000 } as const;

/** The same for old bundlers: ES2019 has no private fields, and what does their work weighs a tenth more. */
export const LARGEST_OLDEST = { whole: 68_000, withoutPako: 54_000 } as const;

export interface Weight {
  /** Bytes. */
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles everything an entry exports, with all it depends on but what is `external`, and weighs it. */
export async function weigh(entry: string, external: readonly string[] = [], target = SYNTAX): Promise<Weight> {
  const code = Buffer.from(await minified(entry, external, target));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** Returns an entry as one minified module of a syntax. */
export async function minified(entry: string, external: readonly string[], target: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      target,
      lib: { entry, formats: ['es'] },
      // Vite leaves the white space of an ES library to whoever bundles it next; weighed is what a page gets.
      rolldownOptions: { external: [...external], output: { minify: true } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`${entry} was not bundled`);
  return output.output.map((file) => ('code' in file ? file.code : '')).join('');
}
