import { ShieldCheck } from 'lucide-react';
import { formatMoment } from '../../i18n/format.ts';
import { m } from '../../i18n/generated/messages.js';
import { ListRow } from '../../kit/list-row.tsx';
import { useProductQuery } from '../../product/use-product.ts';

/** The way to e-mail and phone, and from when they confirm what moves money, where they do not yet. */
export function Contacts() {
  const { data } = useProductQuery('ownerProofs', {});
  const from = data?.contact_from ?? null;
  return (
    <section>
      <h2>{m.settings_contacts()}</h2>
      <ListRow
        start={<ShieldCheck aria-hidden="true" />}
        title={m.account_title()}
        detail={from === null ? m.settings_contacts_hint() : m.settings_contacts_cooling({ at: formatMoment(from) })}
        to="/account-verification"
      />
    </section>
  );
}
