/** The version of this package, from its package.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { packageRoot } from './package-root.ts';

export function readVersion(): string {
  const text = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  return v.parse(v.object({ version: v.string() }), JSON.parse(text)).version;
}
