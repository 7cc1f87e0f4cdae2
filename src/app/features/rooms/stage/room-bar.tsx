import { ChevronDown, LayoutGrid, Presentation, UserPlus, UsersRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDuration, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { type VisitStage, type VisitState, useDuration } from '../../../../react/index.ts';
import { roomName } from '../room-words.ts';
import styles from './room-stage.module.css';
import type { StageView } from './stage.tsx';

interface RoomBarProps {
  state: VisitState;
  view: StageView;
  onView(view: StageView): void;
  onPeople(): void;
  onInvite(): void;
}

/** Renders the name of the room with its duration, and the buttons about its participants. */
export function RoomBar({ state, view, onView, onPeople, onInvite }: RoomBarProps) {
  const { facts, people, stage } = state;
  const isGrid = view === 'grid';
  return (
    <header className={styles.bar}>
      <Link to="/rooms" className={styles.round} aria-label={m.room_minimise()} title={m.room_minimise()}>
        <ChevronDown aria-hidden="true" />
      </Link>
      <div className={styles.title}>
        <h1>{facts === null ? m.rooms_title() : roomName(facts)}</h1>
        <StayTimer stage={stage} />
      </div>
      <div className={styles.barActions}>
        {people.length > 1 && (
          <button
            type="button"
            className={styles.round}
            aria-label={isGrid ? m.room_view_speaker() : m.room_view_grid()}
            title={isGrid ? m.room_view_speaker() : m.room_view_grid()}
            onClick={() => onView(isGrid ? 'speaker' : 'grid')}
          >
            {isGrid ? <Presentation aria-hidden="true" /> : <LayoutGrid aria-hidden="true" />}
          </button>
        )}
        <button
          type="button"
          className={styles.round}
          aria-haspopup="dialog"
          aria-label={m.room_people_count({ count: people.length })}
          title={m.room_people_count({ count: people.length })}
          onClick={onPeople}
        >
          <UsersRound aria-hidden="true" />
          <span aria-hidden="true" className={styles.badge}>
            {formatNumber(people.length)}
          </span>
        </button>
        <button
          type="button"
          className={styles.round}
          aria-haspopup="dialog"
          aria-label={m.invite_title()}
          title={m.invite_title()}
          onClick={onInvite}
        >
          <UserPlus aria-hidden="true" />
        </button>
      </div>
    </header>
  );
}

/** Shows the duration of the stay. Screen readers do not announce its seconds. */
export function StayTimer({ stage }: { stage: VisitStage }) {
  const seconds = useDuration(stage);
  if (stage.name !== 'inside') return <span className={styles.timer}>{m.room_entering()}</span>;
  return (
    <span role="timer" aria-live="off" aria-label={m.room_timer()} className={styles.timer}>
      {formatDuration(seconds)}
    </span>
  );
}
