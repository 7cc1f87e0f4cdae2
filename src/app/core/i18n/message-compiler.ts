/**
 * Compiles `messages/*.json` to functions, for the bundler (vite.config.ts) and for `npm run i18n`. The type checker
 * and the unit tests need the generated code too.
 */
import { fileURLToPath } from 'node:url';
import type { CompilerOptions } from '@inlang/paraglide-js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The options for the bundle of the app: a module for each message, so that each page loads only its own messages. */
export const messageCompilerOptions: CompilerOptions = {
  project: here('./ringback.inlang'),
  outdir: here('./generated'),
  // The app keeps the language itself (locale.ts). Code for cookies, URLs or storage would never run.
  strategy: ['globalVariable', 'baseLocale'],
  emitTsDeclarations: true,
  emitReadme: false,
  emitGitIgnore: false,
  emitPrettierIgnore: false,
};

/** The same functions with a module for each language. Tests then load a few files instead of more than a thousand. */
export const testMessageCompilerOptions: CompilerOptions = {
  ...messageCompilerOptions,
  outdir: here('./generated-for-tests'),
  outputStructure: 'locale-modules',
  // Tests use the types of the bundle.
  emitTsDeclarations: false,
};
