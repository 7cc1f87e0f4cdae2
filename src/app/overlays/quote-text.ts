import type { Quote } from '../../protocol/product/calls.ts';
import { formatNumber } from '../i18n/format.ts';
import { m } from '../i18n/generated/messages.js';

/** What a call will cost whoever pays for it, and how long that lasts; null where there is nothing to say. */
export function quoteText(quote: Quote | null): string | null {
  if (quote === null || quote.rate === 0 || quote.max_minutes === null) return null;
  return m.before_cost({ rate: formatNumber(quote.rate), minutes: formatNumber(quote.max_minutes) });
}
