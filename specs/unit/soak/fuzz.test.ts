/** The fuzzer itself: its changes, what it reports, and the inputs that it has stored. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sim/virtual/random.ts';
import { fuzz } from '../../soak/fuzz/fuzz.ts';
import { minimize, mutate } from '../../soak/fuzz/mutate.ts';
import { answerFault, type FuzzTarget, loggedFault } from '../../soak/fuzz/target.ts';

const SEED = Buffer.from('{"version":1,"payload":{"call_id":"a","list":[1,2,3]}}');

describe('changes of inputs', () => {
  const changes = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 300 }, () =>
      mutate(SEED, random, Buffer.from('{"other":{"sdp":"x"}}')).toString('latin1'),
    );
  };

  it('are the same for the same seed, and different for another', () => {
    expect(changes(1)).toEqual(changes(1));
    expect(changes(1)).not.toEqual(changes(2));
  });

  it('are bounded, and reach keys of JavaScript, deep nesting and invalid UTF-8', () => {
    const all = [1, 2, 3, 4].flatMap(changes);
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(96 * 1024);
    expect(all.some((text) => text.includes('"__proto__":'))).toBe(true);
    expect(all.some((text) => text.includes('[[[[[[[['))).toBe(true);
    expect(all.some((text) => text.includes('\u00c0\u0080'))).toBe(true);
    expect(all.filter((text) => text === SEED.toString()).length).toBeLessThan(100);
  });
});

describe('a fuzzed reader', () => {
  /** A reader that breaks on the letter x. */
  const target = (worldInputs = 100): FuzzTarget => {
    let worlds = 0;
    return {
      name: 'test',
      share: 1,
      seeds: [Buffer.from('a plain seed'), Buffer.from('xyz')],
      worldInputs,
      async open() {
        worlds += 1;
        return {
          feed: async (input) => (input.includes('x') ? 'it breaks' : null),
          close: async () => (worlds < 0 ? 'it never closes' : null),
        };
      },
    };
  };
  const options = { inputs: 50, seed: 1, stop: new AbortController().signal, fed: () => undefined };

  it('is reported once for each fault, with the shortest input', async () => {
    const failures = await fuzz(target(), { ...options, stored: [Buffer.from('long and with an x inside')] });
    expect(failures.map(({ fault, input }) => [fault, input.toString()])).toEqual([['it breaks', 'x']]);
  });

  it('gets stored inputs first, and as many inputs as are wanted', async () => {
    const seen: string[] = [];
    const counts: number[] = [];
    const silent: FuzzTarget = {
      ...target(7),
      open: async () => ({ feed: async (input) => (seen.push(input.toString()), null), close: async () => null }),
    };
    await fuzz(silent, { ...options, stored: [Buffer.from('stored')], fed: (count) => void counts.push(count) });
    expect(seen).toHaveLength(50);
    expect(seen.slice(0, 3)).toEqual(['stored', 'a plain seed', 'xyz']);
    expect(counts).toEqual([50]);
  });

  it('is minimized within a number of tries', async () => {
    let tries = 0;
    const fails = async (input: Buffer) => (tries += 1) > 0 && input.includes('ab');
    expect((await minimize(Buffer.from('zzzzzabzzzzz'), fails)).toString()).toBe('ab');
    tries = 0;
    await minimize(Buffer.alloc(10_000, 'ab'), fails, 20);
    expect(tries).toBe(20);
  });
});

describe('the answer to an input', () => {
  it('I23 S19 is a fault when it is a failure of the server, has no code, or shows the inside of the server', () => {
    const body = { code: 1800300, message: 'wrong' };
    expect(answerFault({ status: 200, body: null })).toBeNull();
    expect(answerFault({ status: 400, body })).toBeNull();
    expect(answerFault({ status: 500, body })).toBe('the answer has the status 500');
    expect(answerFault({ status: 400, body: null })).toBe('a refusal with the status 400 has no code or message');
    expect(answerFault({ status: 400, body: { code: 1, message: 'at /srv/x.ts:3' } })).toContain(
      'inside of the server',
    );
  });

  it('is a fault when the server logs an error that is not about the frame', () => {
    expect(loggedFault([{ level: 'error', message: 'unreadable frame' }])).toBeNull();
    expect(loggedFault([{ level: 'warn', message: 'a command failed' }])).toBeNull();
    expect(loggedFault([{ level: 'error', message: 'a command failed' }])).toBe(
      'the server logs an error: a command failed',
    );
  });
});
