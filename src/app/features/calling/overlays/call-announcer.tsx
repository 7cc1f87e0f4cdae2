import { type ActiveCall, useCalls } from '../../../../react/index.ts';
import { displayName } from '../call-state.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { useCalling } from '../use-calling.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import { missingText } from './call-view/missing-text.ts';
import { resultTitle } from './call-view/result-text.ts';

/** Announces each change of a call to screen readers, without the seconds of the timers. */
export function CallAnnouncer() {
  const { active } = useCalls();
  const urgent = active?.stage.name === 'reconnecting';
  const text = active === null ? '' : announcement(active);
  return (
    <>
      <p className="visually-hidden" role="status">
        {urgent ? '' : text}
      </p>
      <p className="visually-hidden" role="status">
        {active === null || active.stage.name === 'ended' ? '' : missingText(active.missing)}
      </p>
      <LastMinute callId={active?.callId ?? ''} />
      <p className="visually-hidden" aria-live="assertive">
        {urgent ? text : ''}
      </p>
    </>
  );
}

/** Announces the last minute once. */
function LastMinute({ callId }: { callId: string }) {
  const { billing } = useCalling();
  const bill = useStore(billing.bills).get(callId);
  const isLast = bill !== undefined && bill.coins_left !== null && bill.ends_at !== null;
  return (
    <p className="visually-hidden" role="status">
      {isLast ? m.billing_last_announce() : ''}
    </p>
  );
}

function announcement({ stage, party, role, hold }: ActiveCall): string {
  if (stage.name === 'connected' && hold.there) return m.hold_by_them({ name: displayName(party) });
  if (stage.name === 'connected' && hold.here) return m.hold_by_me();
  switch (stage.name) {
    case 'outgoing':
      return m.call_outgoing_announce({ name: displayName(party) });
    case 'connecting':
      return m.call_connecting();
    case 'connected':
      return m.call_connected_announce();
    case 'reconnecting':
      return m.call_reconnecting_announce();
    case 'ended':
      return resultTitle(stage.result, role === 'caller');
    default:
      return stage satisfies never;
  }
}
