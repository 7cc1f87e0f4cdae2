import { Hourglass, IdCard, Landmark, Smartphone } from 'lucide-react';
import type { Points } from '../../../../protocol/product/points.ts';
import { formatMoment } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import styles from './current-points.module.css';

interface MissingProps {
  redeeming: Points['redeeming'];
  onAccount(): void;
}

/** Lists what the user must do before points can be redeemed, with links. */
export function Missing({ redeeming: { missing, account, contact_from }, onAccount }: MissingProps) {
  return (
    <section className={styles.card}>
      <h2>{m.points_missing_title()}</h2>
      <ul className={styles.missing}>
        {missing.includes('identity') && (
          <li>
            <ListRow
              start={<IdCard aria-hidden="true" />}
              title={m.points_missing_identity()}
              detail={m.points_missing_identity_hint()}
              to="/identity-verification"
            />
          </li>
        )}
        {missing.includes('contact') && (
          <li>
            <ListRow
              start={<Smartphone aria-hidden="true" />}
              title={m.points_missing_contact()}
              detail={m.points_missing_contact_hint()}
              to="/account-verification"
            />
          </li>
        )}
        {missing.includes('older_contact') && contact_from !== null && (
          <li>
            <ListRow
              start={<Hourglass aria-hidden="true" />}
              title={m.points_missing_older()}
              detail={m.points_missing_older_hint({ at: formatMoment(contact_from) })}
              to="/account-verification"
            />
          </li>
        )}
        {missing.includes('payout_account') && (
          <li>
            <ListRow
              start={<Landmark aria-hidden="true" />}
              title={m.points_missing_account()}
              detail={account?.name_match === 'differs' ? m.points_missing_differs() : m.points_missing_account_hint()}
              onPress={onAccount}
            />
          </li>
        )}
      </ul>
    </section>
  );
}
