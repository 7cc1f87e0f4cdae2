import { ErrorCode } from '../../src/protocol/errors.ts';
import type { HttpResponse } from './request.ts';

/** The body of a refusal: a number of the error catalogue, or the name of a refusal of the product. */
interface RefusalBody {
  readonly code: number | string;
  readonly message: string;
}

/** A refused request, with its response. */
export class HttpRefusal<Body extends RefusalBody = RefusalBody> extends Error {
  readonly status: number;
  readonly body: Body;
  readonly #retryAfter: number | undefined;

  /**
   * @param status - the HTTP status.
   * @param body - the JSON of the response.
   * @param retryAfter - the seconds after which the client may retry, for the header. Default: no such header.
   */
  constructor(status: number, body: Body, retryAfter?: number) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.#retryAfter = retryAfter;
  }

  get code(): Body['code'] {
    return this.body.code;
  }

  /** The HTTP response of the refusal. */
  get response(): HttpResponse {
    const { status, body } = this;
    const retryAfter = this.#retryAfter;
    return retryAfter === undefined
      ? { status, body }
      : { status, body, headers: { 'retry-after': String(retryAfter) } };
  }
}

/** Returns the refusal of a request that belongs to no API yet: its host, its origin or its body is wrong. */
export const refuseRequest = (status: number, message: string, retryAfter?: number): HttpRefusal =>
  new HttpRefusal(status, { code: ErrorCode.ERR_REQUEST_FAILED, message }, retryAfter);
