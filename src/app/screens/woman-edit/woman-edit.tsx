import { ServerOff } from 'lucide-react';
import { m } from '../../i18n/generated/messages.js';
import { Button } from '../../kit/button.tsx';
import { Skeleton } from '../../kit/skeleton.tsx';
import { StateCard } from '../../kit/state-card.tsx';
import { refusalText } from '../../product/refusal-text.ts';
import { useProductQuery } from '../../product/use-product.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { ProfileForm } from './profile-form.tsx';
import styles from './woman-edit.module.css';

/** What others are shown of a woman, and how it will look. */
export default function WomanEdit() {
  const { data, error, refetch } = useProductQuery('myProfile', {});
  return (
    <>
      <PageHeader title={m.edit_title()} back="/home-woman" />
      {data !== undefined && <ProfileForm profile={data} />}
      {data === undefined && error === null && <Skeleton className={styles.skeleton} />}
      {data === undefined && error !== null && (
        <StateCard icon={<ServerOff />} title={m.own_failed()} hint={refusalText(error)} role="alert">
          <Button look="primary" onClick={() => void refetch()}>
            {m.retry()}
          </Button>
        </StateCard>
      )}
    </>
  );
}
