/** Bundles the calling library, or its React binding: in one file, or in an entry with the parts that it imports at their first use. */
import { minify } from 'terser';
import { build, type Rolldown } from 'vite';
import { ErrorCode } from '../../src/protocol/errors.ts';
import { LIMITS, ROOM_LIMITS, ROOM_TIMES, TIMES } from '../../src/protocol/limits.ts';
import { withFacts } from './facts.ts';
import { logMessages } from './log-messages.ts';
import { PAKO_FACTS } from './pako-facts.ts';
import { VALIBOT_FACTS } from './valibot-facts.ts';

/** The calling library, as apps import it. */
export const LIBRARY = 'src/calls/package.ts';

/** The syntax of the builds for browsers, and for bundlers that read `exports`. */
export const SYNTAX = 'es2022';

/** The syntax of the builds for old bundlers, which parse nothing newer: webpack 4, the first Vite, Parcel 1. */
export const OLDEST_SYNTAX = 'es2019';

export interface Bundle {
  /** The name of the entry. Chunks have it too, before their own. */
  readonly file: string;
  readonly format: 'es' | 'cjs' | 'iife';
  readonly minify: boolean;
  readonly target: typeof SYNTAX | typeof OLDEST_SYNTAX;
  /** True for chunks beside the entry. False for one file with everything. */
  readonly split: boolean;
}

export interface BundleOptions {
  /** The file to bundle. Default: {@link LIBRARY}. */
  readonly entry?: string;
  /** Packages that are not bundled. Default: none. */
  readonly external?: readonly string[];
  /** The first line of the file. Default: none. */
  readonly banner?: string;
  /** The folder to write to. Default: nothing is written. */
  readonly out?: string;
}

/** The React binding. The first line lets it into the client part of an app with server components. */
export const REACT_BINDING = {
  entry: 'src/react/index.ts',
  external: ['react', 'react/jsx-runtime'],
  banner: "'use client';",
} as const satisfies BundleOptions;

/** Bundles a library, and returns the chunks, the entry first. */
export async function bundleLibrary(bundle: Bundle, options: BundleOptions = {}): Promise<Rolldown.OutputChunk[]> {
  const { file, format, target, split } = bundle;
  const { entry = LIBRARY, external = [], banner = '', out } = options;
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: pluginsOf(bundle),
    // Whatever the environment of the build is.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      target,
      ...(out === undefined ? { write: false } : { outDir: out }),
      emptyOutDir: false,
      minify: bundle.minify,
      sourcemap: out !== undefined,
      lib: { entry, formats: [format], name: 'SendBirdCall', fileName: () => file },
      rolldownOptions: {
        external: [...external],
        // Minifying takes the time of a build.
        checks: { pluginTimings: false },
        output: {
          exports: 'named',
          banner,
          // Vite keeps the white space of an ES library for the next bundler.
          minify: bundle.minify,
          // The entry only names what `core` has: parts need `core` too, and one large file is smaller than two.
          codeSplitting: split && { groups: [{ name: 'core', test: /src.calls.index.ts$/ }] },
          chunkFileNames: file.replace(/js$/, '[name].js'),
          // A bundler makes a module of the script, whose variables are local.
          ...(format === 'iife' && { footer: 'globalThis.SendBirdCall = SendBirdCall;' }),
        },
      },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (!output || !('output' in output)) throw new Error(`${entry} was not bundled`);
  return output.output.filter((one) => one.type === 'chunk');
}

const pluginsOf = (bundle: Bundle) => [
  constants,
  rowsWithoutIds,
  pako(bundle),
  valibot,
  ...(bundle.minify ? [minifier(bundle)] : []),
  ...(bundle.minify && bundle.split ? [logMessages(), reExports] : []),
];

/** The fields of a stream of pako that the codec of session descriptions uses. */
const STREAM = ['input', 'output', 'avail_in', 'avail_out', 'next_out', 'msg'];

/**
 * Returns the plugin that removes the code of pako that the codec never reaches. A minified build also gets short names
 * for the fields inside of pako: no other minifier knows that they are private.
 */
const pako = (bundle: Pick<Bundle, 'minify'>) => ({
  name: 'pako',
  async transform(code: string, id: string) {
    if (!id.includes('/node_modules/pako/')) return null;
    const used = withFacts(code, PAKO_FACTS);
    if (!bundle.minify) return { code: used, map: null };
    const mangle = { properties: { reserved: STREAM } };
    const shorter = await minify(used, { module: true, compress: { passes: 3 }, mangle });
    return shorter.code === undefined ? null : { code: shorter.code, map: null };
  },
});

/** The plugin that removes the code of valibot that the library does not use. */
const valibot = {
  name: 'valibot',
  transform: (code: string, id: string) =>
    id.includes('/node_modules/valibot/') ? { code: withFacts(code, VALIBOT_FACTS), map: null } : null,
};

const TABLES: Readonly<Record<string, object>> = { ErrorCode, LIMITS, ROOM_LIMITS, ROOM_TIMES, TIMES };
const PATHS = /\b(ErrorCode|LIMITS|ROOM_LIMITS|ROOM_TIMES|TIMES)((?:\.\w+)+)/g;

/** The plugin that writes the value in place of its name: a bundler keeps a whole table for one object in it. */
const constants = {
  name: 'constants',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!/\/src\/(?:calls|protocol)\//.test(id)) return null;
    const inlined = code.replace(PATHS, (path, table: string, rest: string) => {
      let value: unknown = TABLES[table];
      const left = rest.slice(1).split('.');
      while (typeof value === 'object' && value !== null && Object.hasOwn(value, left[0] ?? ''))
        value = (value as Record<string, unknown>)[left.shift() ?? ''];
      if (value === undefined || value === TABLES[table]) return path;
      const literal = typeof value === 'number' ? `${value}` : `(${JSON.stringify(value)})`;
      return [literal, ...left].join('.');
    });
    // The lines stay what they are.
    return { code: inlined, map: null };
  },
};

/** The plugin that removes the ids of requirements from the tables of states. Documents and tests alone read them. */
const rowsWithoutIds = {
  name: 'rows-without-ids',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!/\/src\/calls\/[\w/-]*table\.ts$/.test(id)) return null;
    return { code: code.replace(/\bids: \[[^\]]*\],/g, ''), map: null };
  },
};

/** The plugin that exports the names of `core` from the entry directly. The bundler imports each one first. */
const reExports = {
  name: 're-exports',
  generateBundle(_options: unknown, bundle: Rolldown.OutputBundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) continue;
      const names = (list = '') => list.split(',').map((one) => one.split(' as ') as [string, string?]);
      const [, given, from, , copy, copied, exported] = ENTRY.exec(chunk.code) ?? [];
      if (from === undefined) continue;
      const imported = new Map(names(given).map(([name, local = name]) => [local, name]));
      const list = names(exported).map(([local, name = local]) => {
        const source = imported.get(local === copy ? (copied ?? '') : local);
        return source === name ? name : `${source} as ${name}`;
      });
      chunk.code = `export{${list.join(',')}}from${from};\n`;
      const map = bundle[`${chunk.fileName}.map`];
      if (map?.type !== 'asset') continue;
      // The entry has no line of a source.
      map.source = JSON.stringify({ version: 3, file: chunk.fileName, sources: [], names: [], mappings: '' });
      chunk.code += `//# sourceMappingURL=${chunk.fileName}.map\n`;
    }
  },
};
/** An entry that imports names of one file, copies the one that is the default, and exports all. */
const ENTRY = /^import\{([^}]*)\}from("[^"]*");(var (\w+)=(\w+);)?export\{([^}]*)\};?/;

/**
 * Returns the plugin that minifies each chunk again. The minifier of Vite makes the names of private fields short. This
 * one knows more rules, and leaves no notes for other bundlers in a module.
 */
const minifier = ({ format, target }: Bundle) => ({
  name: 'minify-again',
  async generateBundle(_options: unknown, bundle: Rolldown.OutputBundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const mapFile = bundle[`${chunk.fileName}.map`];
      const { code, map } = await minify(chunk.code, {
        module: format === 'es',
        ecma: target === OLDEST_SYNTAX ? 2019 : 2020,
        compress: { passes: 2 },
        ...(mapFile?.type === 'asset' && {
          sourceMap: { content: String(mapFile.source), filename: chunk.fileName, url: `${chunk.fileName}.map` },
        }),
      });
      if (code === undefined) throw new Error(`${chunk.fileName} was not minified`);
      chunk.code = code;
      if (mapFile?.type === 'asset' && typeof map === 'string') mapFile.source = map;
    }
  },
});
