import * as v from 'valibot';
import { CallError, ErrorCode } from '../../../src/protocol/errors.ts';
import { HEADERS } from '../../../src/protocol/http.ts';
import type { RequestHead } from '../../budgets/admission.ts';
import type { Core } from '../core.ts';
import type { DeviceId } from '../directory/sessions.ts';

/** An HTTP request as the exchange sees it. */
export interface HttpRequest extends RequestHead {
  /** The body, parsed; undefined where there is none. */
  readonly body: unknown;
}

export interface HttpResponse {
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused: its status, and the code and message of the body. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly code: number;
  /** After so many seconds the request is worth another try. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { code, message }: Pick<CallError, 'code' | 'message'>, retryAfter?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /** The response that says so. */
  get response(): HttpResponse {
    const { status, code, message, retryAfter } = this;
    const headers = retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } };
    return { status, body: { code, message }, ...headers };
  }
}

/** Makes the refusal of a request that is one too many. */
export const tooMany = (seconds: number, message = 'Too many requests. Try again later.'): HttpRefusal =>
  new HttpRefusal(
    429,
    new CallError(ErrorCode.ERR_SERVER_INTERNAL_ERROR, { message }),
    Math.max(1, Math.ceil(seconds)),
  );

/** @throws HttpRefusal 400 with 1800300 naming what breaks the schema. */
export function readBody<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new HttpRefusal(
    400,
    new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param: v.getDotPath(issue) ?? 'body' }),
  );
}

/** Reads one value of a path or query. @throws HttpRefusal 400 with 1800300 naming it. */
export function readValue<T extends v.GenericSchema>(schema: T, value: unknown, param: string): v.InferOutput<T> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new HttpRefusal(400, new CallError(ErrorCode.INVALID_PARAMETER_VALUE, { param }));
  return result.output;
}

const CLIENT_ID_CHARS = 128;

/** The client that asks; undefined where it names itself by nothing, or by too much. */
export function clientIdOf({ headers }: RequestHead): string | undefined {
  const clientId = headers[HEADERS.clientId] ?? '';
  return clientId === '' || clientId.length > CLIENT_ID_CHARS ? undefined : clientId;
}

/** The device a session belongs to; undefined without a session that holds for this client. */
export function deviceOf(core: Core, { headers }: RequestHead): DeviceId | undefined {
  const [token, clientId] = [headers[HEADERS.sessionToken] ?? '', headers[HEADERS.clientId] ?? ''];
  return core.sessions.find(token, clientId) ?? core.bridges.find(token, clientId);
}

/** The device a session belongs to. @throws HttpRefusal 401 with 1800303 without a session that holds for this client. */
export function authenticated(core: Core, head: RequestHead): DeviceId {
  const device = deviceOf(core, head);
  if (!device) throw new HttpRefusal(401, new CallError(ErrorCode.USER_NOT_AUTHENTICATED));
  return device;
}

/**
 * As authenticated, for what belongs to the user in the path.
 *
 * @throws HttpRefusal also 403 with 1400105 for anybody else.
 */
export function authenticatedAs(core: Core, request: HttpRequest, userId: string): DeviceId {
  const device = authenticated(core, request);
  if (device.userId !== userId) throw new HttpRefusal(403, new CallError(ErrorCode.ERR_NO_PERMISSION));
  return device;
}
