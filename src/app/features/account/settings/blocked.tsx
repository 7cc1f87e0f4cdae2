import { ServerOff, ShieldCheck } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { Button } from '../../../../ui/kit/button.tsx';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import { Pager } from '../../../ui/data/pager.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductMutation, useProductPages } from '../../../core/hooks/use-product.ts';
import { useUi } from '../../../ui/use-ui.ts';
import styles from './settings.module.css';

/** Lists the blocked users, each with a control that unblocks the user. */
export function Blocked() {
  const { toasts } = useUi();
  const list = useProductPages('blocks', { query: {} });
  const unblock = useProductMutation('unblock', {
    invalidates: ['blocks', 'discover', 'person', 'channels'],
    onError: (error) => toasts.show(refusalText(error)),
  });
  if (list.isPending) return <Skeleton className={styles.skeleton} />;
  if (list.data === undefined) {
    return (
      <StateCard icon={<ServerOff />} title={m.settings_blocked_failed()} hint={refusalText(list.error)} role="alert">
        <Button onClick={() => void list.refetch()}>{m.retry()}</Button>
      </StateCard>
    );
  }
  if (list.data.length === 0) {
    return <StateCard icon={<ShieldCheck />} title={m.settings_blocked_none()} hint={m.settings_blocked_none_hint()} />;
  }
  return (
    <>
      <ul className={styles.list}>
        {list.data.map(({ u_id, nickname, profile_url }) => {
          const name = nickname || u_id;
          return (
            <li key={u_id}>
              <ListRow
                start={<Avatar url={profile_url} size={40} />}
                title={name}
                end={
                  <Button
                    aria-label={m.settings_unblock_of({ name })}
                    busy={unblock.isPending && unblock.variables.params.u_id === u_id}
                    onClick={() => unblock.mutate({ params: { u_id } })}
                  >
                    {m.settings_unblock()}
                  </Button>
                }
              />
            </li>
          );
        })}
      </ul>
      {list.hasNextPage && <Pager hasMore busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />}
    </>
  );
}
