/** The refusals of the calling service: a code of the error catalogue and its message (§8). */
import * as v from 'valibot';
import { CallError, ErrorCode, invalidValue, type ErrorName } from '../../../src/protocol/errors.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import type { RequestFault } from '../../http/router.ts';

/** Returns a refusal with the code and message of an error. */
export const refuseWith = (status: number, { code, message }: Pick<CallError, 'code' | 'message'>): HttpRefusal =>
  new HttpRefusal(status, { code, message });

/** Returns a refusal with an error of this name. Default: its message in the catalogue. */
export const refuse = (status: number, name: ErrorName, message?: string): HttpRefusal =>
  refuseWith(status, new CallError(ErrorCode[name], message === undefined ? {} : { message }));

/** Returns the refusal of a wrong parameter: 400 with `INVALID_PARAMETER_VALUE`. */
export const refuseValue = (param: string): HttpRefusal => refuseWith(400, invalidValue(param));

/** Returns the refusal of a request above a rate limit. */
export const tooMany = (seconds: number, message = 'Too many requests. Try again later.'): HttpRefusal =>
  new HttpRefusal(429, { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message }, Math.max(1, Math.ceil(seconds)));

/** Returns the refusal of a request that no handler receives. */
export function refuseFault(fault: RequestFault): HttpRefusal {
  switch (fault.kind) {
    case 'unknown path':
      return refuse(404, 'ERR_REQUEST_FAILED', 'There is no such path.');
    case 'wrong method':
      return refuse(405, 'ERR_REQUEST_FAILED', 'The path does not take this method.');
    case 'wrong encoding':
      return refuseValue('path');
    case 'no file':
    case 'wrong media type':
      return refuseValue('body');
    case 'wrong key':
      return refuseValue('idempotency-key');
    case 'wrong value': {
      const { part, issue } = fault;
      const [first] = issue.path ?? [];
      return refuseValue(part === 'body' ? (v.getDotPath(issue) ?? 'body') : String(first?.key));
    }
    default:
      return fault satisfies never;
  }
}
