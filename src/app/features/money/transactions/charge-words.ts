import type { ChargeSession } from '../../../../protocol/product/wallet.ts';
import { toCallResult } from '../../../../react/calls/call-state.ts';
import { formatDuration, formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { resultTitle } from '../../calling/overlays/call-view/result-text.ts';
import { kindText } from './entry-words.ts';

/** Returns the title of a session: its kind and the other user. */
export const titleOf = ({ kind, with: other }: ChargeSession): string =>
  m.transactions_with({
    what: kindText(kind),
    name: other === null ? m.charges_somebody() : other.nickname || other.u_id,
  });

/** Returns the time of a session, with its duration or the number of messages. */
export function lastedText({ started_at, duration, count, kind }: ChargeSession): string {
  const at = formatMoment(started_at);
  if (kind === 'message') return m.charges_messages({ at, count });
  if (duration === null) return m.charges_going_on({ at });
  return m.charges_lasted({ at, duration: formatDuration(Math.round(duration / 1000)) });
}

/** Returns the same text, with the result of a call that no user ended. */
export function detailOf(session: ChargeSession): string {
  const ending = session.end_result === 'completed' ? null : endingOf(session);
  return ending === null ? lastedText(session) : `${lastedText(session)} · ${ending}`;
}

/**
 * Returns the result of an answered call as text. Returns null for messages, for a call in progress and for an unknown
 * result.
 */
export function endingOf({ end_result }: ChargeSession): string | null {
  const result = toCallResult(end_result ?? undefined);
  return result === 'unknown' ? null : resultTitle(result, true);
}
