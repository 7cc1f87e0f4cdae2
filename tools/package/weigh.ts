/** Computes the size of a library for the page that loads it. */
import { gzipSync } from 'node:zlib';
import type { Rolldown } from 'vite';
import { bundleLibrary, LIBRARY, OLDEST_SYNTAX, SYNTAX, type Bundle } from './bundle-library.ts';

export { LIBRARY, OLDEST_SYNTAX, SYNTAX };

/** The maximum size of the entry with all that it imports, pako included, gzipped. 1 kB is 1000 bytes. */
export const LARGEST = 53_500;

/** The maximum of the builds in one file, which have the parts of later use too. */
export const LARGEST_WHOLE = { [SYNTAX]: 70_000, [OLDEST_SYNTAX]: 78_000 } as const;

export interface Weight {
  /** Bytes of the entry and of all that it imports statically. */
  readonly minified: number;
  readonly gzipped: number;
  /** The parts that are loaded on their first use: the gzipped bytes of each, by name. */
  readonly parts: Readonly<Record<string, number>>;
}

/** Bundles all exports of an entry with its dependencies, and returns the size. */
export const weigh = async (entry: string): Promise<Weight> => weightOf(await minified(entry));

/** Returns the size of a bundle. Each file is gzipped by itself. */
export function weightOf(chunks: readonly Rolldown.OutputChunk[]): Weight {
  const first = withImports(chunks);
  const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0);
  return {
    minified: sum(first.map(({ code }) => Buffer.byteLength(code))),
    gzipped: sum(first.map(gzipped)),
    parts: Object.fromEntries(
      chunks.filter((chunk) => !first.includes(chunk)).map((chunk) => [chunk.name, gzipped(chunk)]),
    ),
  };
}

/** Bundles an entry into minified modules: ES2022 in chunks, unless `bundle` has something else. */
export const minified = (entry: string, bundle: Partial<Bundle> = {}): Promise<Rolldown.OutputChunk[]> =>
  bundleLibrary(
    { file: 'ringback.min.js', format: 'es', minify: true, target: SYNTAX, split: true, ...bundle },
    { entry },
  );

const gzipped = ({ code }: Rolldown.OutputChunk): number => gzipSync(code, { level: 9 }).length;

/** Returns the entry, and the chunks that load with it. */
function withImports(chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk[] {
  const first = chunks.filter(({ isEntry }) => isEntry);
  for (const { imports } of first)
    first.push(...chunks.filter((one) => imports.includes(one.fileName) && !first.includes(one)));
  return first;
}
