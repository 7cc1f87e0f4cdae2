import * as v from 'valibot';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import { HttpRefusal } from '../../http/http-refusal.ts';
import type { HttpRequest, RequestHead } from '../../http/request.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** Returns the refusal of a request with the code and message of an error. */
export const refuse = (status: number, { code, message }: Pick<CallError, 'code' | 'message'>): HttpRefusal =>
  new HttpRefusal(status, { code, message });

/** Returns the refusal of a request above a rate limit. */
export const tooMany = (seconds: number, message = 'Too many requests. Try again later.'): HttpRefusal =>
  new HttpRefusal(429, { code: ErrorCode.ERR_SERVER_INTERNAL_ERROR, message }, Math.max(1, Math.ceil(seconds)));

/**
 * Reads a body by its schema.
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and the parameter that breaks the schema.
 */
export function readBody<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw refuse(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: v.getDotPath(issue) ?? 'body' }));
}

/**
 * Reads one value of a path or query.
 * @throws HttpRefusal 400 with `INVALID_PARAMETER_VALUE` and its name.
 */
export function readValue<T extends v.GenericSchema>(schema: T, value: unknown, param: string): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw refuse(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param }));
  return result.output;
}

const CLIENT_ID_CHARS = 128;

/** Returns the client that sends the request. Undefined without a client id, or with one that is too long. */
export function clientIdOf({ headers }: RequestHead): string | undefined {
  const clientId = headers[HEADERS.clientId] ?? '';
  return clientId === '' || clientId.length > CLIENT_ID_CHARS ? undefined : clientId;
}

/** Returns the device of a session. Undefined without a session that is valid for this client. */
export function deviceOf(core: Core, { headers }: RequestHead): DeviceId | undefined {
  const [token, clientId] = [headers[HEADERS.sessionToken] ?? '', headers[HEADERS.clientId] ?? ''];
  return core.sessions.find(token, clientId) ?? core.bridges.find(token, clientId);
}

/**
 * Returns the device of a session.
 * @throws HttpRefusal 401 with `USER_NOT_AUTHENTICATED` without a session that is valid for this client.
 */
export function authenticated(core: Core, head: RequestHead): DeviceId {
  const device = deviceOf(core, head);
  if (!device) throw refuse(401, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
  return device;
}

/**
 * Returns the device of a session of the user in the path.
 *
 * @throws HttpRefusal as authenticated, and 403 with `ERR_NO_PERMISSION` for another user.
 */
export function authenticatedAs(core: Core, request: HttpRequest, userId: string): DeviceId {
  const device = authenticated(core, request);
  if (device.userId !== userId) throw refuse(403, new CallError(ErrorCode.ERR_NO_PERMISSION));
  return device;
}
