import { DoorOpen, Plus, RefreshCw, ServerOff, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Button } from '../../../../ui/kit/button.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { StatusChip } from '../../../../ui/kit/status-chip.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { useIsOnline, usePorts, useTicks } from '../../../core/hooks/areas.ts';
import { formatAgo } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Pager } from '../../../ui/data/pager.tsx';
import { useCalling } from '../../calling/use-calling.ts';
import { PageHeader } from '../../shell/page-header.tsx';
import { Faces } from '../faces.tsx';
import { type RoomFacts, usePresentVisit } from '../../../../react/index.ts';
import { TYPE_ORDER, TYPE_WORDS, roomName } from '../room-words.ts';
import { CAPACITY } from '../room-name.ts';
import { CreateRoomSheet } from './create-room-sheet.tsx';
import { createRoomList } from './room-list.ts';
import styles from './rooms.module.css';

const ALL_TYPES = ['all', ...TYPE_ORDER] as const;
type Choice = (typeof ALL_TYPES)[number];

/** Lists the open rooms of one type, with the users in them. The address holds the type. */
export default function Rooms() {
  const [search, setSearch] = useSearchParams();
  const chosen = ALL_TYPES.find((type) => type === search.get('type')) ?? 'all';
  const invitee = search.get('invite');
  const [isCreating, setIsCreating] = useState(invitee !== null);
  const choose = (type: Choice): void => setSearch(type === 'all' ? {} : { type }, { replace: true });

  return (
    <>
      <PageHeader
        title={m.rooms_title()}
        lede={m.rooms_lede()}
        actions={
          <Button look="primary" onClick={() => setIsCreating(true)}>
            <Plus aria-hidden="true" size={20} />
            {m.rooms_create()}
          </Button>
        }
      />
      <Types chosen={chosen} onChoose={choose} />
      <List key={chosen} type={chosen} onCreate={() => setIsCreating(true)} />
      {isCreating && (
        <CreateRoomSheet
          type={chosen === 'all' ? 'small_room_for_video' : chosen}
          invitee={invitee}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  );
}

function Types({ chosen, onChoose }: { chosen: Choice; onChoose(type: Choice): void }) {
  return (
    <div className={styles.types} role="group" aria-label={m.rooms_types()}>
      {ALL_TYPES.map((type) => (
        <button
          key={type}
          type="button"
          className={styles.type}
          aria-pressed={type === chosen}
          onClick={() => onChoose(type)}
        >
          {type === 'all' ? m.rooms_type_all() : TYPE_WORDS[type].name()}
        </button>
      ))}
    </div>
  );
}

function List({ type, onCreate }: { type: Choice; onCreate(): void }) {
  const { calling } = useCalling();
  const { clock, logger } = usePorts();
  const [list] = useState(() => createRoomList(type, { calling, clock, logger }));
  const { rooms, hasMore, isLoading, hasFailed } = useStore(list.state);
  useEffect(() => list.watch(), [list]);

  if (rooms === null) return hasFailed ? <Failure onRetry={list.again} /> : <Loading />;
  if (rooms.length === 0) {
    return (
      <StateCard icon={<DoorOpen />} title={m.rooms_empty()} hint={m.rooms_empty_hint()}>
        <Button look="primary" onClick={onCreate}>
          <Plus aria-hidden="true" size={20} />
          {m.rooms_create()}
        </Button>
      </StateCard>
    );
  }
  return (
    <>
      <p role="status" className="visually-hidden">
        {m.rooms_count({ count: rooms.length })}
      </p>
      {hasFailed && (
        <p role="alert" className={styles.stale}>
          <WifiOff aria-hidden="true" size={16} />
          {m.rooms_stale()}
        </p>
      )}
      <ul className={styles.rooms}>
        {rooms.map((room) => (
          <li key={room.roomId}>
            <RoomCard room={room} />
          </li>
        ))}
      </ul>
      <Pager hasMore={hasMore} busy={isLoading} onMore={list.more} />
    </>
  );
}

/** The most pictures of users on a card. */
const FACES = 4;

function RoomCard({ room }: { room: RoomFacts }) {
  const { minutes } = useTicks();
  const now = useStore(minutes);
  const present = usePresentVisit();
  const { Icon, name } = TYPE_WORDS[room.type];
  const count = room.people.length;
  const isFull = count >= CAPACITY[room.type];
  return (
    <Link to={`/rooms/${encodeURIComponent(room.roomId)}`} className={styles.room} data-live={count > 0 || undefined}>
      <span className={styles.icon} aria-hidden="true">
        <Icon />
      </span>
      <span className={styles.words}>
        <strong>{roomName(room)}</strong>
        <span className={styles.kind}>
          {name()} · {m.rooms_created({ ago: formatAgo(room.createdAt, now) })}
        </span>
      </span>
      <span className={styles.people}>
        <Faces people={room.people} most={FACES} />
        <span className={styles.count}>{m.rooms_people({ count, most: CAPACITY[room.type] })}</span>
        {present?.roomId === room.roomId ? (
          <StatusChip tone="good">{m.rooms_here()}</StatusChip>
        ) : isFull ? (
          <StatusChip tone="waiting">{m.rooms_full()}</StatusChip>
        ) : null}
      </span>
    </Link>
  );
}

function Failure({ onRetry }: { onRetry(): void }) {
  const isOnline = useIsOnline();
  return (
    <StateCard
      icon={isOnline ? <ServerOff /> : <WifiOff />}
      title={isOnline ? m.rooms_failed() : m.load_offline()}
      hint={isOnline ? m.rooms_failed_hint() : m.load_offline_hint()}
      role="alert"
    >
      <Button look="primary" onClick={onRetry}>
        <RefreshCw aria-hidden="true" size={18} />
        {m.retry()}
      </Button>
    </StateCard>
  );
}

function Loading() {
  return (
    <div role="status">
      <span className="visually-hidden">{m.load_busy()}</span>
      <div className={styles.rooms}>
        {Array.from({ length: 6 }, (_, place) => (
          <Skeleton key={place} className={styles.skeleton} />
        ))}
      </div>
    </div>
  );
}
