import { MessageCircleHeart, Search, SearchX } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import type { Channel } from '../../../../protocol/product/chat.ts';
import { Loaded } from '../../../ui/data/loaded.tsx';
import { m } from '../../../core/i18n/generated/messages.js';
import { Segments } from '../../../../ui/kit/segments.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { useProductPages } from '../../../core/hooks/use-product.ts';
import { ConnectionLine } from '../../shell/connection-line.tsx';
import styles from './channel-list-pane.module.css';
import { ChannelRow } from './channel-row.tsx';
import { Suggestions } from './suggestions.tsx';

type Filter = 'all' | 'unread' | 'favourite';

/** The next page is requested when this many pixels above the end are reached. */
const NEAR_END = 400;
const SKELETONS = [1, 2, 3, 4, 5, 6];

/** Lists the chats of the user, with a search and a filter. */
export function ChannelListPane({ openChannel }: { openChannel: string | null }) {
  const [filter, setFilter] = useState<Filter>('all');
  const [search, setSearch] = useState('');
  const sought = useDeferredValue(search.trim());
  const list = useProductPages('channels', { query: { filter, search: sought } }, { keepsPrevious: true });
  const Title = openChannel === null ? 'h1' : 'h2';

  return (
    <section className={styles.pane} aria-label={m.chat_list_label()}>
      <header className={styles.head}>
        <Title>{m.chat_title()}</Title>
        {openChannel === null && <ConnectionLine className={styles.offline} offlineText={m.offline_banner()} />}
        <SearchField value={search} onChange={setSearch} />
        <FilterChoice value={filter} onChange={setFilter} />
      </header>
      <div
        className={styles.scroll}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (scrollTop + clientHeight > scrollHeight - NEAR_END && list.hasNextPage && !list.isFetchingNextPage) {
            void list.fetchNextPage();
          }
        }}
      >
        <Loaded
          query={list}
          skeleton={SKELETONS.map((at) => (
            <span key={at} className={styles.skeleton}>
              <Skeleton className={styles.skeletonFace} />
              <Skeleton className={styles.skeletonWords} />
            </span>
          ))}
          isEmpty={(channels) => channels.length === 0}
          empty={<Empty isNarrowed={filter !== 'all' || sought !== ''} />}
        >
          {(channels: Channel[]) => (
            <ul className={styles.rows}>
              {channels.map((channel) => (
                <ChannelRow key={channel.channel_url} channel={channel} isOpen={channel.channel_url === openChannel} />
              ))}
            </ul>
          )}
        </Loaded>
      </div>
    </section>
  );
}

function SearchField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <label className={styles.search}>
      <Search aria-hidden="true" size={18} />
      <span className="visually-hidden">{m.chat_search()}</span>
      <input
        type="search"
        value={value}
        maxLength={40}
        placeholder={m.chat_search()}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function FilterChoice({ value, onChange }: { value: Filter; onChange(value: Filter): void }) {
  return (
    <Segments<Filter>
      label={m.chat_filter()}
      showLabel={false}
      value={value}
      onChange={onChange}
      options={[
        { value: 'all', text: m.chat_filter_all() },
        { value: 'unread', text: m.chat_filter_unread() },
        { value: 'favourite', text: m.chat_filter_favourite() },
      ]}
    />
  );
}

function Empty({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed) return <StateCard icon={<SearchX />} title={m.chat_none_found()} hint={m.chat_none_found_hint()} />;
  return (
    <StateCard icon={<MessageCircleHeart />} title={m.chat_empty()} hint={m.chat_empty_hint()}>
      <Suggestions />
    </StateCard>
  );
}
