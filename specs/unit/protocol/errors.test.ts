import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CallError,
  catalogueEntry,
  CLIENT_ERRORS,
  ErrorCode,
  invalidType,
  invalidValue,
  SERVER_ERRORS,
} from '../../../src/protocol/errors.ts';
import { SPECIFIED } from './specified-errors.ts';

const entries = Object.entries({ ...CLIENT_ERRORS, ...SERVER_ERRORS }).map(([code, entry]) => ({
  code: Number(code),
  ...entry,
}));

/** The codes of the statements to prove, one `ERR-` row each. */
const listed = [
  ...readFileSync(new URL('../../requirements.yaml', import.meta.url), 'utf8').matchAll(/^\s*ERR-(\d{7}):/gm),
].map(([, code]) => Number(code));

describe('the error catalogue', () => {
  it('holds every code of the specification', () => {
    expect(listed.length).toBeGreaterThan(60);
    expect(listed.filter((code) => catalogueEntry(code) === undefined)).toEqual([]);
    // The one code that the specification omits from its table has only a name.
    expect(entries.map(({ code }) => code).filter((code) => !listed.includes(code))).toEqual([1800624]);
  });

  it.each(SPECIFIED)('gives %i the name %s and the message %j', (code, name, message) => {
    expect(catalogueEntry(code)).toEqual({ name, message });
    expect(new Map(Object.entries(ErrorCode)).get(name)).toBe(code);
  });

  it('has a unique name for each code, by which hosts find the number', () => {
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
    for (const { code, name } of entries) {
      expect(name).toMatch(/^[A-Z][A-Z_]+$/);
      expect(new Map(Object.entries(ErrorCode)).get(name)).toBe(code);
    }
    expect(Object.isFrozen(ErrorCode)).toBe(true);
  });

  it('gives each code its default message, empty only where the specification has none', () => {
    const silent = entries.filter(({ message }) => message === '').map(({ code }) => code);
    expect(silent.toSorted((a, b) => a - b)).toEqual([
      1400101, 1400102, 1400103, 1400104, 1400105, 1400106, 1400126, 1400999, 1800623, 1800624,
    ]);
    for (const { code, name, message } of entries) {
      const error = new CallError(code);
      expect([error.code, error.name, error.message]).toEqual([code, name, message.replace('{param}', 'A parameter')]);
      expect(error).toBeInstanceOf(Error);
    }
  });

  it('names the faulty parameter', () => {
    expect(invalidValue('userId')).toMatchObject({
      code: 1800300,
      param: 'userId',
      message: 'userId is an invalid or empty value.',
    });
    expect(invalidType('userId')).toMatchObject({
      code: 1800301,
      param: 'userId',
      message: 'The data type of userId is invalid.',
    });
  });

  it('keeps the message of a server, and an unknown code', () => {
    const cause = new Error('why');
    expect(new CallError(1800200, { message: 'down', cause })).toMatchObject({ message: 'down', cause });
    expect(new CallError(42)).toMatchObject({ code: 42, name: 'CallError', message: '' });
    expect(new CallError(42)).not.toHaveProperty('cause');
  });
});
