/** How a script is chosen and read, and the error for an unknown one. */
import { describe, expect, test } from 'vitest';
import { BUILT_INS } from '../../../sim/scripts/built-in.ts';
import { chooseScript, UnknownScript, writeScript } from '../../../sim/scripts/choose-script.ts';
import { readScript } from '../../../sim/scripts/format/read-script.ts';
import { InvalidFile } from '../../../sim/format/source.ts';

const PEOPLE = ['alice', 'bob', 'carol'];
const choose = (words: string) => chooseScript(words, [], PEOPLE);

function refusalOf(words: string): string {
  try {
    choose(words);
  } catch (error) {
    if (error instanceof UnknownScript) return error.message;
    throw error;
  }
  throw new Error(`${words} is a script`);
}

function faultsOf(text: string): string[] {
  try {
    readScript('mine.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    return error.message.split('\n').map((line) => line.replace('mine.yaml:', ''));
  }
}

describe('the selection of a script by its text', () => {
  test('has parameters with defaults and types', () => {
    expect(choose('accept').people).toEqual({ anybody: [{ on: 'called', after: 2_000, do: 'accept' }] });
    expect(choose('accept,after=500ms,who=bob').people).toEqual({
      bob: [{ on: 'called', after: 500, do: 'accept' }],
    });
    expect(choose('refuse,cmd=login,code=1800303,first=2').faults).toEqual([
      { fault: { kind: 'refuse', cmd: 'login', code: 1_800_303 }, first: 2 },
    ]);
  });

  test('is not changed by the name of a separate world', () => {
    expect(choose('decline@my-test')).toEqual(choose('decline'));
  });

  test('may combine several scripts: users play all parts of them, and a user without a call accepts', () => {
    const { people, faults } = choose('hangs-up,after=9s+lose-media+late,cmd=dial');
    expect(people['anybody']).toEqual([
      { on: 'called', after: 2_000, do: 'accept' },
      { on: 'connected', after: 9_000, do: 'end' },
      { on: 'connected', after: 3_000, do: 'lose-media' },
    ]);
    expect(faults).toHaveLength(1);
    expect(choose('calls+hangs-up').people['anybody']?.map(({ on }) => on)).toEqual(['online', 'connected']);
    expect(choose('never,cmd=offer').people).toEqual({ anybody: [{ on: 'called', after: 2_000, do: 'accept' }] });
  });

  test.each([
    ['declin', /^There is no script declin \(did you mean decline\?\)\. There are accept, .*, never\.$/],
    ['', /^There is no script ""\. There are accept,/],
    ['accept+', /^There is no script ""/],
    ['accept,aftr=2s', /^accept has no parameter aftr \(did you mean after\?\)\. It has after, who\.$/],
    ['accept,__proto__=1', /^accept has no parameter __proto__/],
    ['accept,after=2', /^after of accept must be a span of time like 500ms, 2s or 1m; found "2"\.$/],
    ['accept,after', /^after of accept must be a span of time.*; found ""\.$/],
    ['accept,after=1s,after=2s', /^accept has the parameter after twice\.$/],
    [
      'accept,who=carl',
      /^accept,who=carl is about carl, but this world has no user of that name \(did you mean carol\?\)\.$/,
    ],
    ['refuse,code=1400101', /^refuse needs cmd: the command or request, like dial or login, as in refuse,cmd=…$/],
    ['refuse,cmd=dail,code=1400101', /^cmd of refuse must be the name of .* \(did you mean dial\?\); found "dail"\.$/],
    ['refuse,cmd=dial,code=7', /^code of refuse must be one of the error codes.*; found "7"\.$/],
    ['late,cmd=dial,first=0', /^first of late must be a whole number from 1; found "0"\.$/],
    ['silent,on=ringing', /^on of silent must be accepted or connected; found "ringing"\.$/],
    ['calls,video=maybe', /^video of calls must be true or false; found "maybe"\.$/],
    ['calls,who=you', /^people of calls,who=you must not let you dial themselves\.$/],
    ['accept+decline', /^Two scripts define for anybody how they answer: choose one, or give each a different who=\.$/],
    ['calls+cancel', /^Two scripts define for anybody when they call/],
    ['accept,who=__proto__', /^accept,who=__proto__ is about __proto__, but this world has no user of that name\.$/],
    ['accept,who=constructor+late,cmd=dial', /is about constructor, but this world has no user of that name\.$/],
    ['accept@', /^The text after the @ of accept@ must be one name\.$/],
    ['accept@a@b', /must be one name/],
    [
      'accept@x,after=nonsense',
      /^,after=nonsense of accept@x,after=nonsense stands after the name of a world\. Write it before the @\.$/,
    ],
    [
      'calls@x+hangs-up',
      /^\+hangs-up of calls@x\+hangs-up stands after the name of a world\. Write it before the @\.$/,
    ],
    [`accept@${'x'.repeat(600)}`, /^The words for a script are limited to 512 characters\.$/],
  ])('%s is refused with a message', (words, message) => {
    expect(refusalOf(words)).toMatch(message);
  });

  test('a script of a file has no parameters', () => {
    const own = [readScript('mine.yaml', 'script: mine\npeople: { bob: [] }\n')];
    expect(chooseScript('mine', own, PEOPLE).people).toEqual({ bob: [] });
    expect(() => chooseScript('mine,after=2s', own, PEOPLE)).toThrow('takes no parameters');
    expect(() => chooseScript('mien', own, PEOPLE)).toThrow('did you mean mine?');
  });

  test('the output of a built-in script can be read as a file', () => {
    const given: Readonly<Record<string, string>> = {
      refuse: ',cmd=dial,code=1400101',
      late: ',cmd=dial',
      never: ',cmd=dial',
    };
    for (const { name } of BUILT_INS) {
      const written = writeScript(`${name}${given[name] ?? ''}`);
      expect(readScript('built-in.json', JSON.stringify(written))).toEqual(JSON.parse(JSON.stringify(written)));
    }
  });
});

describe('a script file with faults is refused with line and column', () => {
  const HEAD = 'script: mine\npeople:\n  bob:\n';
  test.each([
    [
      'a key nobody knows',
      'script: mine\npeeple: {}\n',
      /^2:1: peeple is not known here \(did you mean people\?\): known are script, about, people, faults$/,
    ],
    ['no name', 'people: {}\n', /^1:1: script is missing$/],
    ['a name that is none', 'script: My Script\n', /^1:1: script must be a name: lower-case words, joined by dashes/],
    [
      'an occasion that is none',
      `${HEAD}    - { on: rung, do: accept }\n`,
      /^4:9: people.bob.0.on must be one of online, called,/,
    ],
    [
      'a deed that is misspelt',
      `${HEAD}    - { on: called, do: acept }\n`,
      /^4:21: people.bob.0.do must be one of accept, decline, ignore; found "acept" \(did you mean accept\?\)$/,
    ],
    [
      'a deed that does not fit',
      `${HEAD}    - { on: called, do: cancel }\n`,
      /^4:21: people.bob.0.do must be .*accept.*; found "cancel"$/,
    ],
    [
      'a span without a unit',
      `${HEAD}    - { on: called, after: 2, do: accept }\n`,
      /^4:21: people.bob.0.after must be a span of time/,
    ],
    ['no deed', `${HEAD}    - { on: called }\n`, /^4:\d+: people.bob.0.do is missing$/],
    [
      'oneself',
      'script: mine\npeople:\n  you: [{ on: online, do: dial }]\n',
      /^2:1: people must not let you dial themselves/,
    ],
    [
      'a fault of no kind',
      'script: mine\nfaults:\n  - fault: { kind: explode, cmd: dial }\n',
      /^3:14: faults.0.fault.kind must be one of drop, delay, refuse; found "explode"$/,
    ],
    [
      'a message nobody knows',
      'script: mine\nfaults:\n  - fault: { kind: drop, cmd: dail }\n',
      /^3:26: faults.0.fault.cmd must be the name of a message, .*\(did you mean dial\?\); found "dail"$/,
    ],
    [
      'a refusal of an event',
      'script: mine\nfaults:\n  - fault: { kind: refuse, cmd: dial_ack, code: 1400101 }\n',
      /faults.0.fault.cmd must be the name of a command or a request/,
    ],
    [
      'a code nobody knows',
      'script: mine\nfaults:\n  - fault: { kind: refuse, cmd: dial, code: 7 }\n',
      /faults.0.fault.code must be one of the error codes/,
    ],
    ['yaml that is none', 'script: [mine\n', /^\d+:\d+: /],
  ])('%s', (_, text, message) => {
    expect(faultsOf(text)[0]).toMatch(message);
  });

  test('a script file without faults is accepted', () => {
    expect(faultsOf('script: mine\n')).toEqual([]);
  });
});
