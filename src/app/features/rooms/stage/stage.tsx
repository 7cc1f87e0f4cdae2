import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useStore } from '../../../../ui/store/use-store.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { type RoomPerson, type RoomVisit, type VisitState, hasVideo } from '../../../../react/index.ts';
import { gridOf, pageOf, speakerViewOf, stripSize } from './layout.ts';
import styles from './room-stage.module.css';
import type { Speakers } from './speakers.ts';
import { Sound, Tile } from './tile.tsx';

/** The arrangements of the participants: all with the same size, or one large. */
export type StageView = 'grid' | 'speaker';

interface StageProps {
  visit: RoomVisit;
  state: VisitState;
  speakers: Speakers;
  view: StageView;
  /** The participant that the user has chosen for the stage. Null without one. */
  pinned: string | null;
  onPin(participantId: string): void;
}

/** Arranges the participants. Those who are not on the page keep their sound. */
export function Stage({ visit, state, speakers, view, pinned, onPin }: StageProps) {
  const { speaking, active } = useStore(speakers.state);
  const isHigh = useIsHigh();
  const [wanted, setWanted] = useState(0);
  const { people, facts } = state;
  if (facts === null) return null;

  const videoRoom = hasVideo(facts.type);
  const speaker = speakerViewOf(people, pinned, active);
  const grid = gridOf(people.length, isHigh);
  const isGrid = view === 'grid' || people.length < 2;
  const listed = isGrid ? people : speaker.others;
  const { items, page, pages } = pageOf(listed, wanted, isGrid ? grid.size : stripSize(isHigh));
  const onStage = isGrid ? undefined : speaker.onStage;
  const shown = new Set([...items, ...(onStage ? [onStage] : [])]);
  const tile = (person: RoomPerson, look: 'grid' | 'stage' | 'strip') => (
    <Tile
      key={person.participantId}
      person={person}
      visit={visit}
      speakers={speakers}
      hasVideo={videoRoom}
      isSpeaking={speaking.has(person.participantId)}
      isSharing={person.isMe && state.sharingScreen}
      isPinned={person.participantId === pinned}
      look={look}
      onPin={() => onPin(person.participantId)}
    />
  );

  return (
    <section className={styles.stage} data-view={isGrid ? 'grid' : 'speaker'} aria-label={m.room_people()}>
      {onStage !== undefined && <div className={styles.large}>{tile(onStage, 'stage')}</div>}
      <div
        className={isGrid ? styles.grid : styles.strip}
        data-tiles={isGrid ? grid.size : undefined}
        style={isGrid ? { '--columns': grid.columns, '--rows': grid.rows } : undefined}
      >
        {items.map((person) => tile(person, isGrid ? 'grid' : 'strip'))}
      </div>
      {pages > 1 && <Pages page={page} pages={pages} onPage={setWanted} />}
      {people
        .filter((person) => !person.isMe && !shown.has(person))
        .map((person) => (
          <Sound key={person.participantId} person={person} visit={visit} speakers={speakers} />
        ))}
    </section>
  );
}

declare module 'react' {
  interface CSSProperties {
    '--columns'?: number;
    '--rows'?: number;
  }
}

interface PagesProps {
  page: number;
  pages: number;
  onPage(page: number): void;
}

function Pages({ page, pages, onPage }: PagesProps) {
  return (
    <nav className={styles.pages} aria-label={m.room_pages()}>
      <button
        type="button"
        aria-label={m.room_page_before()}
        aria-disabled={page === 0}
        onClick={() => onPage(Math.max(0, page - 1))}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <span role="status">{m.room_page({ page: page + 1, pages })}</span>
      <button
        type="button"
        aria-label={m.room_page_after()}
        aria-disabled={page === pages - 1}
        onClick={() => onPage(Math.min(pages - 1, page + 1))}
      >
        <ChevronRight aria-hidden="true" />
      </button>
    </nav>
  );
}

const HIGH = '(max-aspect-ratio: 1/1)';

/** Returns whether the window is higher than wide. */
function useIsHigh(): boolean {
  return useSyncExternalStore(followShape, () => matchMedia(HIGH).matches);
}

function followShape(listener: () => void): () => void {
  const query = matchMedia(HIGH);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
