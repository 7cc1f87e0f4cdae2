import type { RefusalBody } from '../../../protocol/product/refusals.ts';

/** The kinds of failed requests. */
export type ProductErrorKind =
  /** No answer: the server is down or the network is lost. */
  | 'unreachable'
  /** The server answered with a failure status. */
  | 'refused'
  /** The server's answer does not match the contract. */
  | 'malformed';

interface Details {
  readonly status?: number;
  readonly refusal?: RefusalBody;
  readonly cause?: unknown;
}

/** A failed request to the product server. */
export class ProductError extends Error {
  override readonly name = 'ProductError';
  readonly kind: ProductErrorKind;
  readonly status: number | undefined;
  /**
   * The refusal that the server sent; its `code` is one of `REFUSALS`. Undefined when the body does not match the
   * contract.
   */
  readonly refusal: RefusalBody | undefined;

  constructor(kind: ProductErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.refusal = details.refusal;
  }
}
