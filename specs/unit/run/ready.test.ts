import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { forgeTree } from '../checks/forged-tree.ts';

/** Runs `ready.mjs` in a checkout whose build is a shell command. */
function ready(way: string, build: string, more: Readonly<Record<string, string>> = {}) {
  const cwd = forgeTree({ 'package.json': JSON.stringify({ scripts: { build } }), ...more });
  if ('node_modules/.bin/tsx' in more) chmodSync(join(cwd, 'node_modules/.bin/tsx'), 0o755);
  const env = { ...process.env };
  delete env['RINGBACK_NO_PREPARE'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('tools/run/ready.mjs'), way], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const TSX = { 'node_modules/.bin/tsx': '' };
const INSTALLED = { 'node_modules/.package-lock.json': '{}', 'package-lock.json': '{}' };

describe('the script that npm runs after an install', () => {
  test('fails no install when the build fails, and prints what is missing', () => {
    const { status, stderr } = ready('prepare', 'echo no such type >&2; exit 3', TSX);
    expect(status).toBe(0);
    expect(stderr).toContain('no such type\n');
    expect(stderr).toMatch(
      /\nThe packages are installed, but Ringback is not built: npm run --silent build failed \(exit 3\)\n$/,
    );
  });

  test('builds nothing without the development dependencies', () => {
    const { status, stdout, stderr } = ready('prepare', 'echo built');
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toBe(
      'The packages are installed, but Ringback is not built: the development dependencies are not installed\n',
    );
  });

  test('builds, and an explicit build exits with 1 when it fails', () => {
    expect(ready('prepare', 'echo built', TSX)).toMatchObject({ status: 0, stdout: 'built\n' });
    const asked = ready('build', 'exit 3', { ...TSX, ...INSTALLED });
    expect([asked.status, asked.stderr]).toEqual([1, expect.stringMatching(/failed \(exit 3\)\n$/)]);
  });
});
