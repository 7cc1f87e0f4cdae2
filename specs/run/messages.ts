/** `npm run i18n`: compiles the messages of the app, where they have changed, for the type checker and the tests. */
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile } from '@inlang/paraglide-js';
import { messageCompilerOptions } from '../../src/app/i18n/message-compiler.ts';

const app = (path: string) => fileURLToPath(new URL(`../../src/app/i18n/${path}`, import.meta.url));
const changed = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

const sources = [
  ...readdirSync(app('messages'), { recursive: true, encoding: 'utf8' }).map((name) => app(`messages/${name}`)),
  ...['message-compiler.ts', 'ringback.inlang/settings.json', '../../../package-lock.json'].map(app),
];
const compiled = changed(app('generated/messages.js')) ?? 0;
if (sources.some((source) => (changed(source) ?? 0) > compiled)) await compile(messageCompilerOptions);
// The compiler leaves a timer running for half a minute.
process.exit();
