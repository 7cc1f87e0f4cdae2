#!/usr/bin/env node
/**
 * `npx ringback` in a checkout. npm links this file as node_modules/.bin/ringback, so that npx starts it without asking the
 * registry. It runs what the build made.
 */
import { existsSync } from 'node:fs';

const MISSING = 4;

if (existsSync(new URL('../../dist/.built', import.meta.url))) {
  await import('../../dist/cli/main.js');
} else {
  console.error('Ringback is not built here: run "make start" or "npm run build", and try again when it is done.');
  process.exitCode = MISSING;
}
