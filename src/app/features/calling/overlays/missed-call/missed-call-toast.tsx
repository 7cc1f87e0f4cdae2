import { PhoneMissed, X } from 'lucide-react';
import type { IncomingCall } from '../../../../../react/index.ts';
import { displayName } from '../../call-state.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { useCalling } from '../../use-calling.ts';
import styles from './missed-call-toast.module.css';

/** Shows a missed call. It stays until the user dismisses it. */
export function MissedCallToast({ call }: { call: IncomingCall }) {
  const { calling, dialer } = useCalling();
  return (
    <div className={styles.toast} role="status">
      <PhoneMissed aria-hidden="true" size={20} />
      <span>{m.missed_call({ name: displayName(call.party) })}</span>
      <button type="button" className={styles.back} onClick={() => void dialer.dial(call.party, call.kind)}>
        {m.missed_call_back()}
      </button>
      <button type="button" aria-label={m.dismiss()} className={styles.close} onClick={calling.dismissMissed}>
        <X aria-hidden="true" size={20} />
      </button>
    </div>
  );
}
