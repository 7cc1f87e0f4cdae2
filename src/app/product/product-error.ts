export type ProductErrorKind =
  /** No answer: the server is not there or the network is gone. */
  | 'unreachable'
  /** The server answered with a failure status. */
  | 'refused'
  /** The server answered with a body that is not what the contract says. */
  | 'malformed';

export class ProductError extends Error {
  override readonly name = 'ProductError';
  readonly kind: ProductErrorKind;
  readonly status: number | undefined;

  constructor(kind: ProductErrorKind, message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
  }
}
