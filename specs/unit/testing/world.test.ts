/** The parts of a world that are in the test process, with a process of worlds that a test makes. */
import { describe, expect, it } from 'vitest';
import type { KitAnswers, KitCommand } from '../../../cli/testing/kit-messages.ts';
import { TestUser } from '../../../cli/testing/test-user.ts';
import { openWorld, World } from '../../../cli/testing/world.ts';
import { CallSite, WorldError } from '../../../cli/testing/world-error.ts';

/** A world whose clock moves as it is asked to. */
function worldOf(wholeMs: number) {
  let left = wholeMs;
  const moves: number[] = [];
  const answers = (command: KitCommand): unknown => {
    if (command.type === 'begin-advance') {
      left = wholeMs;
      return { until: wholeMs, wholeMs };
    }
    if (command.type !== 'advance') return undefined;
    const moved = Math.min(left, command.most);
    left -= moved;
    moves.push(moved);
    return { moved, left };
  };
  const worlds = {
    ask: async <C extends KitCommand>(_world: number, command: C) => answers(command) as KitAnswers[C['type']],
    closed: () => undefined,
  };
  return { world: new World('test', { alice: {} }, { worlds, number: 1, addresses: {} }), moves };
}

it('moves followers in steps that grow with the span, and stay below every silence', async () => {
  for (const [span, ms, steps, longest] of [
    ['10s', 10_000, 10, 1_000],
    ['8m', 480_000, 240, 2_000],
    ['1h', 3_600_000, 720, 5_000],
  ] as const) {
    const { world, moves } = worldOf(ms);
    let followed = 0;
    world.follow((by) => (followed += by));
    await world.advance(span);
    expect([followed, moves.length, Math.max(...moves)]).toEqual([ms, steps, longest]);
  }
});

it('moves a follower until it is undone', async () => {
  const { world, moves } = worldOf(10_000);
  let followed = 0;
  const follower = (by: number) => (followed += by);
  const [first, second] = [world.follow(follower), world.follow(follower)];
  first();
  await world.advance('10s');
  expect(followed).toBe(10_000);
  second();
  moves.length = 0;
  await world.advance('10s');
  expect([followed, moves]).toEqual([10_000, [10_000]]);
});

it('reports the error of a follower in one line, at the line of the test', async () => {
  const { world } = worldOf(10_000);
  world.follow(() => Promise.reject(new Error('Target page has been closed\nCall log:\n  - clock.runFor')));
  const error = await world.advance('10s').catch((refusal: unknown) => refusal as WorldError);
  expect(error).toBeInstanceOf(WorldError);
  expect(error?.message).toBe('a follower of the clock failed: Target page has been closed');
  expect(error?.stack?.split('\n')[1]).toContain('world.test.ts');
});

it('finds the line of a test in a folder with spaces, brackets and percent signs', () => {
  const lineOf = (frame: string) => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => `Error\n    ${frame}`;
    try {
      return new CallSite(lineOf).line;
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
  };
  expect(lineOf('at run (/home/100% done/my app (2)/a.test.ts:12:5)')).toEqual({
    file: '/home/100% done/my app (2)/a.test.ts',
    line: 12,
  });
  expect(lineOf('at async /home/my app/a.test.ts:3:1')).toEqual({ file: '/home/my app/a.test.ts', line: 3 });
  expect(lineOf('at async Object.<anonymous> (file:///home/100%25%20done/a.test.ts:4:1)')).toEqual({
    file: '/home/100% done/a.test.ts',
    line: 4,
  });
  expect(lineOf('at native')).toBeUndefined();
});

describe('a wrong use is refused in one line, at the line of the test', () => {
  const { world } = worldOf(1_000);
  const alice = new TestUser('alice', async () => undefined as never);
  const odd = (value: unknown): never => value as never;

  it.each<[wrong: string, run: () => unknown, line: string]>([
    [
      'an unknown option',
      () => openWorld(odd({ usrs: ['bob'] })),
      'openWorld does not know usrs (did you mean users?)',
    ],
    ['no users', () => openWorld({ users: [] }), "a world needs a user, like openWorld({ users: ['alice', 'bob'] })"],
    ['no users in a map', () => openWorld({ users: {} }), 'a world needs a user'],
    [
      'a user twice',
      () => openWorld({ users: ['bob', 'bob'] }),
      'the user bob is named twice. Two devices are { bob: {',
    ],
    ['a user who is no name', () => openWorld({ users: odd([3]) }), 'the name of a user must be a text; found 3'],
    ['a text in place of users', () => openWorld({ users: odd('bob') }), 'users must be a list of names'],
    [
      'a word in place of an origin',
      () => openWorld({ origins: ['foo'] }),
      "origins must be a list like ['https://app.test'",
    ],
    ['a path behind an origin', () => openWorld({ origins: ['https://app.test/in'] }), 'found "https://app.test/in"'],
    ['a number to follow', () => world.follow(odd(3)), 'a follower is a function of milliseconds; found 3'],
    [
      'no fault',
      () => world.fault(odd(undefined)),
      "a fault is an object like { kind: 'ws', actor: 'alice', how: 'reset' }",
    ],
    ['a misspelt bound', () => alice.has({}, odd({ whitin: '2s' })), 'does not know whitin (did you mean within?)'],
    ['a misspelt bound of a sense', () => alice.hears('bob', odd({ wihtin: '2s' })), 'hears does not know wihtin'],
    ['a span in place of options', () => alice.is('connected', odd('2s')), 'takes an object with within; found "2s"'],
    [
      'a misspelt number of times',
      () => world.saw({ cmd: 'end' }, odd({ time: 2 })),
      'saw does not know time (did you mean times?)',
    ],
    [
      'a misspelt pattern',
      () => world.messages(odd({ form: 'alice' })),
      'a pattern of messages does not know form (did you mean from?)',
    ],
  ])('%s', async (_, run, line) => {
    const error = await (async () => run())().then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).toBeInstanceOf(WorldError);
    const { message, stack } = error as WorldError;
    expect(message).toContain(line);
    expect(message).not.toContain('\n');
    expect(stack?.split('\n')[1]).toContain('world.test.ts');
  });
});
