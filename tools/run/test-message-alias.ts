/**
 * Resolves imports of the compiled messages of the app to those compiled for tests (src/app/core/i18n/message-
 * compiler.ts).
 */
import { testMessageCompilerOptions } from '../../src/app/core/i18n/message-compiler.ts';

export const testMessageAlias = {
  find: /^\.{1,2}\/(?:.*\/)?generated\/(messages|runtime)\.js$/,
  replacement: `${testMessageCompilerOptions.outdir}/$1.js`,
};
