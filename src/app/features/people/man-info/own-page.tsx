import { Pencil } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { Outline } from '../../../../ui/kit/skeleton.tsx';
import { type Face, OwnHead, UNKNOWN } from '../../account/my-page/own-head.tsx';
import { PlaceList } from '../../account/my-page/place-list.tsx';
import { ThisDevice } from '../../account/my-page/this-device.tsx';
import { Today } from '../../account/my-page/today.tsx';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { useFrameCounts } from '../../shell/frame-counts.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { SignOutButton } from '../../shell/sign-out-button.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './own-page.module.css';

const { Part: EditSheet } = onDemand(async () => (await import('./edit-sheet.tsx')).EditSheet);

/** Shows a man's own page: his profile, balance, day, records and the sign-out button. */
export function OwnPage() {
  const counts = useFrameCounts();
  const { coins } = useStore(counts);
  const query = useProductQuery('myProfile', {});
  const [editing, setEditing] = useState(false);
  const card = (profile: Face): ReactNode => (
    <div className={styles.card}>
      <OwnHead
        profile={profile}
        action={
          <Button onClick={() => setEditing(true)}>
            <Pencil aria-hidden="true" size={18} />
            {m.own_edit()}
          </Button>
        }
      />
    </div>
  );

  return (
    <>
      <PageHeader title={m.own_title()} />
      <div className={styles.page}>
        <Loaded query={query} skeleton={<Outline>{card(UNKNOWN)}</Outline>}>
          {(profile) => (
            <>
              {card(profile)}
              {editing && <EditSheet profile={profile} onClose={() => setEditing(false)} />}
            </>
          )}
        </Loaded>
        <section className={`${styles.card} ${styles.balance}`}>
          <p>
            <span>{m.own_coins()}</span>
            <strong>{coins === null ? m.own_coins_unknown() : formatNumber(coins)}</strong>
          </p>
          <LinkButton look="primary" to="/purchase/deposit">
            {m.nav_deposit()}
          </LinkButton>
        </section>
        <Today />
        <PlaceList />
        <ThisDevice />
        <SignOutButton />
      </div>
    </>
  );
}
