/** Bundles the calling library with its dependencies for apps that load it as one file, and writes its types. */
import { rmSync, writeFileSync } from 'node:fs';
import { bundleLibrary, OLDEST_SYNTAX, REACT_BINDING, SYNTAX, type Bundle } from '../package/bundle-library.ts';
import { declarationFile, globalDeclarationFile, moduleDeclarationFile } from '../package/declaration-file.ts';
import { libraryDeclarations } from '../package/library-declarations.ts';

const OUT = 'dist/lib';

/**
 * ringback.js and ringback.cjs are for reading and bundling; the minified ones are served as they are. Bundlers that
 * read `main` and `module` of package.json cannot parse more than ES2019; `exports` names the modern ones.
 *
 * The modern modules have chunks beside them. The others are one file: a script tag, `require` and old bundlers have no
 * sure way to a chunk.
 */
const BUNDLES: readonly Bundle[] = [
  { file: 'ringback.js', format: 'es', minify: false, target: SYNTAX, split: true },
  { file: 'ringback.min.js', format: 'es', minify: true, target: SYNTAX, split: true },
  { file: 'ringback.cjs', format: 'cjs', minify: false, target: SYNTAX, split: false },
  { file: 'ringback.global.js', format: 'iife', minify: true, target: SYNTAX, split: false },
  { file: 'ringback.es2019.js', format: 'es', minify: false, target: OLDEST_SYNTAX, split: false },
  { file: 'ringback.es2019.cjs', format: 'cjs', minify: false, target: OLDEST_SYNTAX, split: false },
];

/** The React binding. It imports React, and no code of the library. */
const REACT_BUNDLES: readonly Bundle[] = [
  { file: 'react.js', format: 'es', minify: false, target: SYNTAX, split: false },
  { file: 'react.cjs', format: 'cjs', minify: false, target: SYNTAX, split: false },
];

export async function buildLibrary(): Promise<void> {
  rmSync(OUT, { recursive: true, force: true });
  for (const bundle of BUNDLES) await bundleLibrary(bundle, { out: OUT });
  for (const bundle of REACT_BUNDLES) await bundleLibrary(bundle, { ...REACT_BINDING, out: OUT });
  const { core, react } = libraryDeclarations();
  for (const end of ['d.ts', 'd.cts']) {
    writeFileSync(`${OUT}/ringback.${end}`, declarationFile(core));
    writeFileSync(`${OUT}/react.${end}`, moduleDeclarationFile(react));
  }
  writeFileSync(`${OUT}/ringback.global.d.ts`, globalDeclarationFile('./ringback.js'));
}
