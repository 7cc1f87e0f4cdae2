import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeDatabaseFolder } from '../../../cli/database-folder.ts';
import { EXIT } from '../../../cli/exit-codes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-database-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the missing folders of a database file are created, and no others', () => {
  makeDatabaseFolder(join(folder, 'new/deep/calls.db'));
  expect(existsSync(join(folder, 'new/deep'))).toBe(true);
  expect(readdirSync(join(folder, 'new/deep'))).toEqual([]);
  const before = readdirSync('.');
  for (const other of [undefined, ':memory:', 'calls.db', 'postgres://db.example/calls/x']) makeDatabaseFolder(other);
  expect(readdirSync('.')).toEqual(before);
});

it('a folder that cannot be created is one line that names the option and the path', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeDatabaseFolder(join(folder, 'file/calls.db'))).toThrow(
    expect.objectContaining({
      message: `--database: Nothing can be written to ${folder}/file: ${folder}/file is not a folder.`,
      exitCode: EXIT.environment,
    }),
  );
});
