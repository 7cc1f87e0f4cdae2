import { KeyRound, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { Sessions } from './sessions.tsx';
import styles from './settings.module.css';

const { Part: ChangePassword } = onDemand(async () => (await import('./change-password.tsx')).ChangePassword);

/** Links to the contacts and the password of the account, and lists its sessions. */
export function Security() {
  const { data } = useProductQuery('ownerProofs', {});
  const [changes, setChanges] = useState(false);
  const from = data?.contact_from ?? null;
  return (
    <section aria-labelledby="settings-security">
      <h2 id="settings-security">{m.settings_security()}</h2>
      <ul className={styles.list}>
        <li>
          {/* The detail is the time from which the contacts can confirm payments, if they cannot yet. */}
          <ListRow
            start={<ShieldCheck aria-hidden="true" />}
            title={m.account_title()}
            detail={
              from === null ? m.settings_contacts_hint() : m.settings_contacts_cooling({ at: formatMoment(from) })
            }
            to="/account-verification"
          />
        </li>
        <li>
          <ListRow
            start={<KeyRound aria-hidden="true" />}
            title={data?.has_password === false ? m.settings_password_set() : m.settings_password_change()}
            detail={m.settings_password_hint()}
            onPress={() => setChanges(true)}
          />
        </li>
      </ul>
      {changes && <ChangePassword onClose={() => setChanges(false)} />}
      <Sessions />
    </section>
  );
}
