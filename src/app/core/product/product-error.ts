import type { RefusalBody } from '../../../protocol/product/refusals.ts';

export type ProductErrorKind =
  /** No answer: the server is not there or the network is gone. */
  | 'unreachable'
  /** The server answered with a failure status. */
  | 'refused'
  /** The server answered with a body that is not what the contract says. */
  | 'malformed';

interface Details {
  readonly status?: number;
  readonly refusal?: RefusalBody;
  readonly cause?: unknown;
}

export class ProductError extends Error {
  override readonly name = 'ProductError';
  readonly kind: ProductErrorKind;
  readonly status: number | undefined;
  /** What the server said, where it said it as the contract has it: its `code` is one of `REFUSALS`. */
  readonly refusal: RefusalBody | undefined;

  constructor(kind: ProductErrorKind, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.kind = kind;
    this.status = details.status;
    this.refusal = details.refusal;
  }
}
