import { REFUSALS, type RefusalBody, type RefusalCode } from '../../src/protocol/product/refusals.ts';

/** A request that is refused: what it answers. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly #more: Pick<RefusalBody, 'field' | 'retry_after'>;

  /**
   * @param message - one plain line, for developers: the app has words of its own for each code.
   * @param more - `field` names what is wrong, `retry_after` says in how many seconds it may be tried again.
   */
  constructor(code: RefusalCode, message: string, more: Pick<RefusalBody, 'field' | 'retry_after'> = {}) {
    super(message);
    this.code = code;
    this.#more = more;
  }

  get status(): number {
    return REFUSALS[this.code];
  }

  get body(): RefusalBody {
    return { code: this.code, message: this.message, ...this.#more };
  }
}
