/**
 * `npm run i18n`: compiles the messages of the app, where they have changed, for the type checker, the bundle and the tests.
 */
import { readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageCompilerOptions, testMessageCompilerOptions } from '../../src/app/core/i18n/message-compiler.ts';

const app = (path: string) => fileURLToPath(new URL(`../../src/app/core/i18n/${path}`, import.meta.url));
const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The files of the compiler's project, with the time each last changed. */
const projectFiles = () =>
  new Map(
    readdirSync(app('ringback.inlang'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const path = app(`ringback.inlang/${name}`);
      return [path, changed(path)];
    }),
  );

const sources = [
  ...readdirSync(app('messages'), { recursive: true, encoding: 'utf8' }).map((name) => app(`messages/${name}`)),
  ...['message-compiler.ts', 'ringback.inlang/settings.json', '../../../../package-lock.json'].map(app),
];
const lastChange = Math.max(...sources.map(changed));
const before = projectFiles();
const stale = [messageCompilerOptions, testMessageCompilerOptions].filter(
  ({ outdir }) => lastChange > changed(join(outdir, 'messages.js')),
);
if (stale.length > 0) {
  // Loading the compiler takes longer than detecting that nothing has changed.
  const { compile } = await import('@inlang/paraglide-js');
  for (const options of stale) await compile(options);
}
// The compiler writes into its project as well, settings and a README. As changes of a source they would ask for a build.
for (const [path, at] of projectFiles()) {
  const was = new Date(before.get(path) ?? changed(app('message-compiler.ts')));
  if (was.getTime() < at) utimesSync(path, was, was);
}
// The compiler leaves a timer running for half a minute.
process.exit();
