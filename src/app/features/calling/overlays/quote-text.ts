import type { Quote } from '../../../../protocol/product/calls.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { wholePoints } from '../../money/points/whole-points.ts';

/** What a call will cost whoever pays for it, and how long that lasts; null where there is nothing to say. */
export function quoteText(quote: Quote | null): string | null {
  if (quote === null || quote.rate === 0 || quote.max_minutes === null) return null;
  return m.before_cost({ rate: formatNumber(quote.rate), minutes: formatNumber(quote.max_minutes) });
}

/** What a minute of a call that rings brings a woman or costs a man; null where it is free, or not known. */
export function incomingQuoteText(quote: Quote | null): string | null {
  if (quote === null || quote.rate === 0) return null;
  if (quote.points === null) return m.incoming_cost({ rate: formatNumber(quote.rate) });
  return m.incoming_earns({ points: formatNumber(wholePoints(quote.points)) });
}
