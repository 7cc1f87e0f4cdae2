import { ServerOff, CircleCheck, CircleDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { Outline } from '../../../../ui/kit/skeleton.tsx';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { type Face, OwnHead, UNKNOWN } from '../../account/my-page/own-head.tsx';
import { PlaceList } from '../../account/my-page/place-list.tsx';
import { ThisDevice } from '../../account/my-page/this-device.tsx';
import { Today } from '../../account/my-page/today.tsx';
import { eachOnce } from '../people-list.ts';
import { LoadingGrid, PeopleGrid } from '../people-grid.tsx';
import { useLivePresence } from '../live-presence.ts';
import { Pager } from '../../../ui/data/pager.tsx';
import { POINTS_NEWS, usePointsNews } from '../../money/points/use-points-news.ts';
import { refusalText } from '../../../core/product/refusal-text.ts';
import { useProductPages, useProductQuery } from '../../../core/hooks/use-product.ts';
import { useSession, useTicks } from '../../../core/hooks/areas.ts';
import { LanguageChoice } from '../../shell/language-choice.tsx';
import { onDemand } from '../../shell/on-demand.tsx';
import { PageHeader } from '../../shell/page-header.tsx';
import { SignOutButton } from '../../shell/sign-out-button.tsx';
import { ThemeChoice } from '../../shell/theme-choice.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { CallSettings } from './call-settings.tsx';
import styles from './home-woman.module.css';
import { Earned } from './earned.tsx';
import { toDoSteps, type ToDoStep } from './to-do-steps.ts';
import { ListRow } from '../../../../ui/kit/list-row.tsx';

const { Part: PersonSheet } = onDemand(async () => (await import('../person-sheet.tsx')).PersonSheet);

/** Shows a woman's home: her call settings, her day, her next steps, available users and links. */
export default function HomeWoman() {
  const { uId } = useStore(useSession().user.user);
  const query = useProductQuery('myProfile', {});
  const points = useProductQuery('points', {}, POINTS_NEWS);
  usePointsNews();
  const head = (profile: Face): ReactNode => (
    <OwnHead
      profile={profile}
      preview={`/woman-info/${encodeURIComponent(uId ?? '')}`}
      action={<LinkButton to="/woman-edit">{m.own_edit()}</LinkButton>}
    />
  );

  return (
    <>
      <PageHeader title={m.hub_title()} />
      <div className={styles.hub}>
        <div className={styles.column}>
          <Loaded query={query} skeleton={<Outline>{head(UNKNOWN)}</Outline>}>
            {head}
          </Loaded>
          <CallSettings />
          <Earned query={points} />
          <Today />
          {query.data !== undefined && <ToDo steps={toDoSteps(query.data, points.data?.redeeming.missing)} />}
        </div>
        <MenHere />
        <div className={styles.column}>
          <PlaceList />
          <ThisDevice />
          <LanguageChoice />
          <ThemeChoice />
          <SignOutButton />
        </div>
      </div>
    </>
  );
}

function MenHere() {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const [filter, setFilter] = useState<'all' | 'favorite'>('all');
  const query = filter === 'favorite' ? ({ favorite: 'yes' } as const) : {};
  const list = useProductPages('discover', { query }, { keepsPrevious: true });
  useLivePresence();
  const [openId, setOpenId] = useState<string | null>(null);
  const people = eachOnce(list.data ?? []);
  const opened = people.find(({ u_id }) => u_id === openId);
  return (
    <section className={styles.men} aria-labelledby="hub-men">
      <h2 id="hub-men">{m.hub_men()}</h2>
      <Segments<'all' | 'favorite'>
        label={m.home_filters()}
        showLabel={false}
        options={[
          { value: 'all', text: m.filter_all() },
          { value: 'favorite', text: m.filter_favorite() },
        ]}
        value={filter}
        onChange={setFilter}
      />
      {list.isPending && <LoadingGrid />}
      {list.isError && list.data === undefined && (
        <StateCard icon={<ServerOff />} title={m.home_failed()} hint={refusalText(list.error)} role="alert">
          <Button onClick={() => void list.refetch()}>{m.retry()}</Button>
        </StateCard>
      )}
      {list.data !== undefined && people.length === 0 && (
        <p className={styles.noUsers}>{filter === 'favorite' ? m.home_no_favorites_hint() : m.hub_nobody()}</p>
      )}
      {people.length > 0 && (
        <>
          <PeopleGrid people={people} now={now} onOpen={setOpenId} />
          {list.hasNextPage && (
            <Pager hasMore busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          )}
        </>
      )}
      {opened !== undefined && <PersonSheet person={opened} now={now} onClose={() => setOpenId(null)} />}
    </section>
  );
}

/** Lists the remaining steps before a woman can be found and paid. Renders nothing after the last one. */
function ToDo({ steps }: { steps: readonly ToDoStep[] }) {
  if (steps.every(({ done }) => done)) return null;
  return (
    <section className={styles.todo} aria-labelledby="hub-todo">
      <h2 id="hub-todo">{m.todo_title()}</h2>
      <ul className={styles.steps}>
        {steps.map(({ key, done, text, to }) => (
          <li key={key} data-done={done}>
            <ListRow
              {...(done ? {} : { to })}
              start={done ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
              title={text}
              detail={done ? m.todo_done() : m.todo_open()}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
