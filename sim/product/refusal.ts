import { REFUSALS, type RefusalBody, type RefusalCode } from '../../src/protocol/product/refusals.ts';
import { HttpRefusal } from '../http/http-refusal.ts';

/** The refusal of a request to the product, with a code of its contract. */
export class Refusal extends HttpRefusal<RefusalBody & { readonly code: RefusalCode }> {
  /**
   * @param message - one plain line for developers. The app has its own texts for each code.
   * @param more - `field` names the wrong field. `retry_after` is in seconds.
   */
  constructor(code: RefusalCode, message: string, more: Pick<RefusalBody, 'field' | 'retry_after'> = {}) {
    super(REFUSALS[code], { code, message, ...more }, more.retry_after);
  }
}
