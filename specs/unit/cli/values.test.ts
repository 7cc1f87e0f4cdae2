import { InvalidArgumentError } from 'commander';
import { describe, expect, test } from 'vitest';
import {
  parseDatabase,
  parseDuration,
  parseCount,
  parseMediaKinds,
  parseMos,
  parseName,
  parseNodes,
  parsePort,
  parsePositiveDuration,
  parseSeeds,
  parseResult,
  parseServer,
  parseTone,
  parseUser,
  parseWhole,
} from '../../../cli/arguments/values.ts';
import { CommandError } from '../../../cli/command-error.ts';
import { CALL_HELP } from '../../../cli/commands/call-options.ts';
import { EXIT, exitCodeOf } from '../../../cli/exit-codes.ts';
import { END_RESULTS } from '../../../src/protocol/enumerations.ts';

describe('values that users type', () => {
  test.each([
    ['10s', 10_000],
    ['500ms', 500],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0s', 0],
  ])('a duration of %s', (text, ms) => expect(parseDuration(text)).toBe(ms));

  test.each(['10', '', 's', '-1s', '10 s', '1d', '1e3s', 'Infinitys', '25h'])('%j is not a duration', (text) => {
    expect(() => parseDuration(text)).toThrow(InvalidArgumentError);
  });

  test('a call of zero length is refused', () => {
    expect(() => parsePositiveDuration('0s')).toThrow('longer than zero');
    expect(parsePositiveDuration('1ms')).toBe(1);
  });

  test.each(['-1', '65536', '80.5', '0x50', '', 'http', '123456'])('%j is not a port', (text) => {
    expect(() => parsePort(text)).toThrow('0 to 65535');
  });

  test('ports from 0 to 65535', () => {
    expect([parsePort('0'), parsePort('4870'), parsePort('65535')]).toEqual([0, 4870, 65_535]);
  });

  test('a number of nodes is from 1 to 9', () => {
    expect([parseNodes('1'), parseNodes('9')]).toEqual([1, 9]);
    for (const text of ['0', '10', '1.5', 'many', '']) expect(() => parseNodes(text)).toThrow('from 1 to 9');
  });

  test.each(['99', '3001', 'a', '', '-440'])('%j is not a tone', (text) => {
    expect(() => parseTone(text)).toThrow('100 to 3000');
  });

  test.each([
    ['http://127.0.0.1:4870', 'http://127.0.0.1:4870'],
    ['http://127.0.0.1:4870/', 'http://127.0.0.1:4870'],
    ['https://calls.example/api/', 'https://calls.example/api'],
  ])('the exchange %s', (text, server) => expect(parseServer(text)).toBe(server));

  test.each(['localhost:4870', 'ws://127.0.0.1', '4870', '', 'http://', 'http://a/?b', 'http://u@a', 'http://:p@a'])(
    '%j is not an exchange',
    (text) => expect(() => parseServer(text)).toThrow(InvalidArgumentError),
  );

  test.each([
    ':memory:',
    'calls.db',
    '/var/lib/ringback/calls.db',
    'postgres://a@127.0.0.1:5432/b',
    'postgresql://h/b',
  ])('the database %s', (text) => expect(parseDatabase(` ${text} `)).toBe(text));

  test.each(['', ' ', 'mysql://u:hunter2@h/b', 'https://h/b', 'postgres://u:hunter2@h:port/b'])(
    '%j is not a database, and its password is not repeated',
    (text) => {
      expect(() => parseDatabase(text)).toThrow(CommandError);
      expect(() => parseDatabase(text)).not.toThrow('hunter2');
    },
  );

  test.each(['calls-1', 'calls.example:4870', 'a'.repeat(128)])('the name %s of an exchange', (text) =>
    expect(parseName(` ${text} `)).toBe(text),
  );

  test.each(['', ' ', 'two words', 'a/b', 'ü', 'a'.repeat(129)])('%j names no exchange', (text) =>
    expect(() => parseName(text)).toThrow(InvalidArgumentError),
  );

  test('a user id is not empty, nor longer than the exchange accepts', () => {
    expect(parseUser('alice')).toBe('alice');
    expect(() => parseUser(' ')).toThrow('empty');
    for (const dots of ['.', '..']) expect(() => parseUser(dots)).toThrow('cannot be "."');
    expect(() => parseUser('a'.repeat(129))).toThrow('128');
  });

  test('a result by its wire name, also with dashes', () => {
    expect(parseResult('no-answer')).toBe('no_answer');
    expect(parseResult('DECLINED')).toBe('declined');
    expect(() => parseResult('fine')).toThrow('completed');
  });
});

describe('the requirements of a call', () => {
  test('a mean opinion score is on its scale', () => {
    expect([parseMos('1'), parseMos('3.5'), parseMos('4.5')]).toEqual([1, 3.5, 4.5]);
    for (const text of ['0.9', '4.6', '', '-2', '3,5', '1e0', 'good', 'NaN']) {
      expect(() => parseMos(text), text).toThrow('from 1 to 4.5');
    }
  });

  test('kinds of media are separated by commas, each once, and add up over several options', () => {
    expect(parseMediaKinds('audio')).toEqual(['audio']);
    expect(parseMediaKinds('video, audio')).toEqual(['video', 'audio']);
    expect(parseMediaKinds('video', ['audio'])).toEqual(['audio', 'video']);
    for (const text of ['', 'sound', 'audio,', 'audio video', 'Audio']) {
      expect(() => parseMediaKinds(text), text).toThrow('The kinds are audio and video');
    }
    expect(() => parseMediaKinds('audio,audio')).toThrow('audio is given twice');
    expect(() => parseMediaKinds('audio', ['audio'])).toThrow('audio is given twice');
  });
});

describe('exit codes', () => {
  test('0 exactly when the call ended as expected', () => {
    for (const result of END_RESULTS) {
      for (const expected of END_RESULTS) expect(exitCodeOf(result, expected, true) === 0).toBe(result === expected);
    }
  });

  test('a call that ended as expected and misses a requirement is 6; an unexpected end has priority over that', () => {
    for (const result of END_RESULTS) {
      expect(exitCodeOf(result, result, false)).toBe(6);
      const other = result === 'completed' ? 'declined' : 'completed';
      expect(exitCodeOf(result, other, false)).toBe(exitCodeOf(result, other, true));
    }
  });

  test('a list of seeds with one seed gets advice that is accepted', () => {
    expect(() => parseSeeds('20')).toThrow('For one seed use --seed 20, for 20 seeds --repeat 20.');
    expect(() => parseSeeds('0')).toThrow(/For one seed use --seed 0\.$/);
  });

  test('a count is a whole number of at least one, a seed may be 0', () => {
    expect([parseWhole('0'), parseWhole('42'), parseCount('1')]).toEqual([0, 42, 1]);
    for (const text of ['', '-1', '1.5', '1e3', 'x', '9999999999'])
      expect(() => parseWhole(text), text).toThrow('whole number');
    for (const text of ['0', 'abc', '-1', '1.5', '1234567890'])
      expect(() => parseCount(text)).toThrow('The value must be a whole number from 1 to 999999999.');
  });

  test('each other result has a separate code', () => {
    const codes = END_RESULTS.map((result) =>
      exitCodeOf(result, result === 'completed' ? 'declined' : 'completed', true),
    );
    expect(codes).toEqual([20, 21, 22, 23, 1, 24, 25, 26, 27, 28, 29]);
    expect(Object.values(EXIT)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 29, 70, 130]);
  });

  test('the help of a call names every code a call may end with', () => {
    const named = CALL_HELP.split('\n\n')[0]
      ?.match(/\b\d+\b/g)
      ?.map(Number);
    const results = END_RESULTS.map((result) =>
      exitCodeOf(result, result === 'completed' ? 'declined' : 'completed', true),
    );
    const { ok, usage, environment, unmet, internal, interrupted } = EXIT;
    const all = new Set([ok, usage, environment, unmet, internal, interrupted, ...results]);
    expect(named).toEqual([...all].toSorted((a, b) => a - b));
  });
});
