import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { ProfileForm } from './profile-form.tsx';
import styles from './woman-edit.module.css';

/** Edits the public profile of a woman, with a preview. */
export default function WomanEdit() {
  const query = useProductQuery('myProfile', {});
  return (
    <>
      <PageHeader title={m.edit_title()} back="/home-woman" />
      <Loaded query={query} skeleton={<Skeleton className={styles.skeleton} />}>
        {(profile) => <ProfileForm profile={profile} />}
      </Loaded>
    </>
  );
}
