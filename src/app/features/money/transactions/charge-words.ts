import type { ChargeSession } from '../../../../protocol/product/wallet.ts';
import { toCallResult } from '../../calling/call-state.ts';
import { formatDuration, formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { resultTitle } from '../../calling/overlays/call-view/result-text.ts';
import { kindText } from './entry-words.ts';

/** What a session was, and with whom. */
export const titleOf = ({ kind, with: other }: ChargeSession): string =>
  m.transactions_with({
    what: kindText(kind),
    name: other === null ? m.charges_somebody() : other.nickname || other.u_id,
  });

/** When, and how long or how many. */
export function lastedText({ started_at, duration, count, kind }: ChargeSession): string {
  const at = formatMoment(started_at);
  if (kind === 'message') return m.charges_messages({ at, count });
  if (duration === null) return m.charges_going_on({ at });
  return m.charges_lasted({ at, duration: formatDuration(Math.round(duration / 1000)) });
}

/** The same, and how a call ended that nobody ended. */
export function detailOf(session: ChargeSession): string {
  const ending = session.end_result === 'completed' ? null : endingOf(session);
  return ending === null ? lastedText(session) : `${lastedText(session)} · ${ending}`;
}

/** How a call ended that was paid for, and so was answered; null of messages, while it goes on, and where nobody knows. */
export function endingOf({ end_result }: ChargeSession): string | null {
  const result = toCallResult(end_result ?? undefined);
  return result === 'unknown' ? null : resultTitle(result, true);
}
