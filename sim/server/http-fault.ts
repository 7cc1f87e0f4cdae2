/** A failure of a request itself: the status, a message, and the seconds after which the client may try again. */
export class HttpFault extends Error {
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, { retryAfter }: { readonly retryAfter?: number } = {}) {
    super(message);
    this.name = 'HttpFault';
    this.status = status;
    this.retryAfter = retryAfter;
  }
}
