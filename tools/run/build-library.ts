/** Bundles the calling library with its dependencies for apps that load it as one file, and writes its types. */
import { writeFileSync } from 'node:fs';
import { build } from 'vite';
import { declarationFile, globalDeclarationFile } from '../package/declaration-file.ts';
import { libraryDeclarations } from '../package/library-declarations.ts';
import { OLDEST_SYNTAX, SYNTAX } from '../package/weigh.ts';

const ENTRY = 'src/calls/package.ts';
const OUT = 'dist/lib';

/**
 * ringback.js and ringback.cjs are for reading and bundling; the minified ones are served as they are. Bundlers that
 * read `main` and `module` of package.json cannot parse more than ES2019; `exports` names the modern ones.
 */
const BUNDLES = [
  { file: 'ringback.js', format: 'es', minify: false, target: SYNTAX },
  { file: 'ringback.min.js', format: 'es', minify: true, target: SYNTAX },
  { file: 'ringback.cjs', format: 'cjs', minify: false, target: SYNTAX },
  { file: 'ringback.global.js', format: 'iife', minify: true, target: SYNTAX },
  { file: 'ringback.es2019.js', format: 'es', minify: false, target: OLDEST_SYNTAX },
  { file: 'ringback.es2019.cjs', format: 'cjs', minify: false, target: OLDEST_SYNTAX },
] as const;

export async function buildLibrary(): Promise<void> {
  for (const [at, { file, format, minify, target }] of BUNDLES.entries()) {
    await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      build: {
        target,
        outDir: OUT,
        emptyOutDir: at === 0,
        minify,
        sourcemap: true,
        lib: { entry: ENTRY, formats: [format], name: 'SendBirdCall', fileName: () => file },
        rolldownOptions: {
          output: {
            exports: 'named',
            // A bundler makes a module of the script, whose variables are local.
            ...(format === 'iife' && { footer: 'globalThis.SendBirdCall = SendBirdCall;' }),
            // Vite keeps the white space of an ES library for the next bundler.
            minify,
          },
        },
      },
    });
  }
  const declarations = declarationFile(libraryDeclarations());
  for (const name of ['ringback.d.ts', 'ringback.d.cts']) writeFileSync(`${OUT}/${name}`, declarations);
  writeFileSync(`${OUT}/ringback.global.d.ts`, globalDeclarationFile('./ringback.js'));
}
