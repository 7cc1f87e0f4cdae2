import { describe, expect, test } from 'vitest';
import { explainSignIn as explain } from '../../../cli/sign-in-failure.ts';
import type { Assignment } from '../../../cli/headless/messages.ts';
import { CallError, ErrorCode, invalidValue } from '../../../src/protocol/errors.ts';

const ASSIGNMENT: Assignment = {
  type: 'assignment',
  role: 'dial',
  server: 'http://exchange.test',
  appId: 'ringback-demo',
  userId: 'alice',
  video: true,
  media: { tone: 440, width: 320, height: 240, fps: 24 },
};

describe('the cause of a failed sign-in, in one line', () => {
  test.each([
    ErrorCode.ERR_REQUEST_FAILED,
    ErrorCode.ERR_WEBSOCKET_CONNECTION_FAILED,
    ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT,
  ])('%i: no server answers at the address', (code) => {
    expect(explain(new CallError(code), ASSIGNMENT)).toMatchObject({
      cause: 'unreachable',
      message: expect.stringContaining('No exchange answers at http://exchange.test'),
    });
  });

  test.each([ErrorCode.ERR_WRONG_RESPONSE, ErrorCode.INTERNAL_SERVER_ERROR, ErrorCode.ERR_MALFORMED_DATA])(
    '%i: the server that answers is no exchange',
    (code) => {
      expect(explain(new CallError(code), ASSIGNMENT)).toMatchObject({
        cause: 'unreachable',
        message: expect.stringContaining('No exchange at http://exchange.test'),
      });
    },
  );

  test('1800303: the exchange refuses the user', () => {
    expect(explain(new CallError(ErrorCode.USER_NOT_AUTHENTICATED), ASSIGNMENT)).toMatchObject({
      cause: 'refused',
      message: expect.stringContaining('The exchange does not admit alice'),
    });
  });

  test('a refusal without a message is shown by its name', () => {
    expect(explain(new CallError(ErrorCode.ERR_DIAL_MYSELF), ASSIGNMENT).message).toMatch(
      /^The exchange does not admit alice: ERR_DIAL_MYSELF \(1400104\)\./,
    );
  });

  test('1800300: a parameter is invalid, and the exchange got no request', () => {
    expect(explain(invalidValue('seconds'), ASSIGNMENT)).toEqual({
      type: 'failed',
      cause: 'refused',
      message: 'seconds is an invalid or empty value.',
      error: {
        code: ErrorCode.INVALID_PARAMETER_VALUE,
        name: 'INVALID_PARAMETER_VALUE',
        message: 'seconds is an invalid or empty value.',
      },
    });
  });

  test('any other error is a defect of ringback', () => {
    expect(explain(new TypeError('x is not a function'), ASSIGNMENT)).toMatchObject({ cause: 'internal' });
  });
});
