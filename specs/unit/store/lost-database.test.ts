import { describe, expect, it } from 'vitest';
import { ofConnection, isDatabaseLost } from '../../../sim/store/lost-database.ts';

const coded = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

describe('S46 a lost database', () => {
  it.each([
    ['a connection that PostgreSQL ended for its stop', coded('57P01')],
    ['a connection that PostgreSQL ended after a crash', coded('57P02')],
    ['a PostgreSQL that starts', coded('57P03')],
    ['a broken connection', coded('08006')],
    ['a connection that ended during a statement', new Error('Connection terminated unexpectedly')],
    [
      'a connection that ended before a statement',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['an attempt to connect that failed', ofConnection(coded('ECONNREFUSED'))],
    ['an error that one of these caused', new Error('the gift failed', { cause: coded('57P01') })],
  ])('is known by %s', (_, error) => {
    expect(isDatabaseLost(error)).toBe(true);
  });

  it.each([
    ['a statement that was refused', coded('23505')],
    ['an operator who cancelled a statement', coded('57014')],
    ['a refused connection to another service', coded('ECONNREFUSED')],
    ['another error', new Error('no such table')],
    ['no error', undefined],
  ])('is not assumed for %s', (_, error) => {
    expect(isDatabaseLost(error)).toBe(false);
  });

  it('is not searched for ever in an error that is its own cause', () => {
    const error = new Error('failed');
    error.cause = error;
    expect(isDatabaseLost(error)).toBe(false);
  });
});
