import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandFrom, eventFrom, replyFrom } from '../../../src/protocol/envelope.ts';
import { minified } from '../../../tools/package/weigh.ts';
import { withFacts } from '../../../tools/package/facts.ts';
import { VALIBOT_FACTS } from '../../../tools/package/valibot-facts.ts';

const source = { commandFrom, eventFrom, replyFrom };

/** The frames of a golden file, one in a line. */
const framesOf = (name: string): string[] =>
  readFileSync(new URL(`../../../fixtures/wire/${name}.json`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => line.replace(/,$/, ''));

const WRONG = [undefined, null, true, 0, -1, 1.5, 1e300, '', 'a/b', 'x'.repeat(70_000), [], [null], {}, { a: 1 }];

/** Returns a frame once for each of its values and each wrong value, with the wrong value in its place. */
function* spoilt(text: string): Generator {
  const places = (value: unknown, path: string[]): string[][] =>
    typeof value === 'object' && value !== null
      ? [path, ...Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))]
      : [path];
  for (const path of places(JSON.parse(text), []).filter(({ length }) => length > 0)) {
    for (const wrong of WRONG) {
      const frame: unknown = JSON.parse(text);
      let around = frame as Record<string, unknown>;
      for (const key of path.slice(0, -1)) around = around[key] as Record<string, unknown>;
      around[path.at(-1) ?? ''] = wrong;
      yield frame;
    }
  }
}

/** Returns what a reader makes of a value: the read value, or the message of its error. */
function outcome(read: (value: unknown) => unknown, value: unknown): string {
  try {
    return JSON.stringify(read(value));
  } catch (error) {
    return error instanceof Error ? error.message : 'no error';
  }
}

describe('the schemas of the built library', () => {
  let built: typeof source;
  beforeAll(async () => {
    const [chunk] = await minified('src/protocol/envelope.ts', { split: false });
    built = (await import(
      /* @vite-ignore */ `data:text/javascript;base64,${btoa(chunk?.code ?? '')}`
    )) as typeof source;
  }, 120_000);

  it.each([
    ['commands', 'commandFrom'],
    ['events', 'eventFrom'],
    ['replies', 'replyFrom'],
  ] as const)('PAY-19 read the right and the wrong %s as the code before the build', (name, reader) => {
    const messages = new Set<string>();
    for (const text of framesOf(name)) {
      for (const frame of [JSON.parse(text) as unknown, ...spoilt(text)]) {
        const expected = outcome(source[reader], frame);
        if (outcome(built[reader], frame) !== expected) expect(outcome(built[reader], frame)).toBe(expected);
        messages.add(expected);
      }
      expect(outcome(built[reader], JSON.parse(text))).toContain('{"');
    }
    expect([...messages].filter((one) => /Expected .* but received|Invalid/.test(one)).length).toBeGreaterThan(8);
  });

  it('fail to build with another version of valibot, whose facts nothing has checked', () => {
    expect(() => withFacts('function string() {}', VALIBOT_FACTS)).toThrow(/ 0 times, not 208: check its facts/);
  });
});
