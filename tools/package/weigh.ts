/** Computes the size of a library for the page that loads it. */
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** The calling library, as apps import it. */
export const LIBRARY = 'src/calls/package.ts';

/** The syntax of the builds for browsers, and for bundlers that read `exports`. */
export const SYNTAX = 'es2022';

/** The syntax of the builds for old bundlers, which parse nothing newer: webpack 4, the first Vite, Parcel 1. */
export const OLDEST_SYNTAX = 'es2019';

/** The maximum size of the library, gzipped. 1 kB is 1000 bytes. */
export const LARGEST = { whole: 62_000, withoutPako: 48_000 } as const;

/** The maximum for old bundlers. ES2019 has no private fields, and their replacement adds a tenth. */
export const LARGEST_OLDEST = { whole: 68_000, withoutPako: 54_000 } as const;

export interface Weight {
  /** Bytes. */
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles all exports of an entry with their dependencies except `external`, and returns the size. */
export async function weigh(entry: string, external: readonly string[] = [], target = SYNTAX): Promise<Weight> {
  const code = Buffer.from(await minified(entry, external, target));
  return { minified: code.length, gzipped: gzipSync(code, { level: 9 }).length };
}

/** Bundles an entry into one minified module of a syntax version. */
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
      // Vite keeps the white space of an ES library for the next bundler. The size here is that of a page.
      rolldownOptions: { external: [...external], output: { minify: true } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`${entry} was not bundled`);
  return output.output.map((file) => ('code' in file ? file.code : '')).join('');
}
