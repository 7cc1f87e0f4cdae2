import type { Quote } from '../../../../protocol/product/calls.ts';
import { formatNumber, wholePoints } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** Returns the cost of a call for the paying user, and how long the balance lasts. Returns null for a free call. */
export function quoteText(quote: Quote | null): string | null {
  if (quote === null || quote.rate === 0 || quote.max_minutes === null) return null;
  return m.before_cost({ rate: formatNumber(quote.rate), minutes: formatNumber(quote.max_minutes) });
}

/**
 * Returns what a minute of a ringing call earns a woman or costs a man. Returns null for a free call or an unknown
 * cost.
 */
export function incomingQuoteText(quote: Quote | null): string | null {
  if (quote === null || quote.rate === 0) return null;
  if (quote.points === null) return m.incoming_cost({ rate: formatNumber(quote.rate) });
  return m.incoming_earns({ points: formatNumber(wholePoints(quote.points)) });
}
