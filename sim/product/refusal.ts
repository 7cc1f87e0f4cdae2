import { REFUSALS, type RefusalBody, type RefusalCode } from '../../src/protocol/product/refusals.ts';

/** The refusal of a request, with its response. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly #more: Pick<RefusalBody, 'field' | 'retry_after'>;

  /**
   * @param message - one plain line for developers. The app has its own texts for each code.
   * @param more - `field` names the wrong field. `retry_after` is in seconds.
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
