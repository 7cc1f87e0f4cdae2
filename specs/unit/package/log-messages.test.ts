import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as logText from '../../../src/calls/logging/log-text.ts';
import { bundleLibrary, SYNTAX } from '../../../tools/package/bundle-library.ts';

const FILE = 'ringback.min.mjs';

describe('the minified module', () => {
  let out: string;
  let code: string;
  let part: typeof logText;
  let exported: object;
  beforeAll(async () => {
    out = await mkdtemp(join(tmpdir(), 'ringback-'));
    const chunks = await bundleLibrary(
      { file: FILE, format: 'es', minify: true, target: SYNTAX, split: true },
      { out },
    );
    code = chunks.map((chunk) => chunk.code).join('\n');
    const load = async (name = '') => (await import(/* @vite-ignore */ pathToFileURL(join(out, name)).href)) as unknown;
    part = (await load(chunks.find(({ name }) => name === 'log-text')?.fileName)) as typeof logText;
    exported = (await load(FILE)) as object;
  }, 200_000);
  afterAll(() => rm(out, { recursive: true, force: true }));

  /** Returns the words of a line with this message. The build passes a number in place of a literal. */
  const wordsOf = (message: unknown) => part.textOf(0, message as string, undefined).words;

  it('has a number in place of each message of the log, and its words in the part of log lines', () => {
    const numbers = [...code.matchAll(/\.(?:verbose|debug|info|warning|error)\((\d+)[,)]/g)].map(([, one]) =>
      Number(one),
    );
    const words = new Set(numbers.map(wordsOf));
    expect(words.size).toBeGreaterThan(50);
    expect(words).toContain('realtime channel open');
    expect(words).toContain('the hold was refused');
    expect(words).toContain('the keep-alive of a room failed');
    for (const one of words) expect(one).toMatch(/^[a-z][^\d]+$/);
    expect(code.match(/\.(?:verbose|debug|info|warning|error)\("/g) ?? []).toEqual([]);
    // A message with a value in it stays a text.
    expect(wordsOf('call: ringing in ended')).toBe('call: ringing in ended');
  });

  it('exports the names of the source, and all of them as its default', async () => {
    const source = await import('../../../src/calls/package.ts');
    expect(Object.keys(exported).toSorted()).toEqual(Object.keys(source).toSorted());
    const { default: whole, ...names } = exported as typeof source;
    expect(Object.keys(whole).toSorted()).toEqual(Object.keys(names).toSorted());
    expect(whole.dial).toBe(names.dial);
    expect(names.ErrorCode).toEqual(source.ErrorCode);
  });
});
