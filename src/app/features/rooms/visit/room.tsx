import { DoorClosed, LogIn, PhoneOff, RefreshCw, ServerOff, Trash2, UserRoundX, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import * as v from 'valibot';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { Button, LinkButton } from '../../../../ui/kit/button.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { useIsOnline } from '../../../core/hooks/areas.ts';
import { formatDuration } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Lobby } from '../lobby/lobby.tsx';
import styles from './room.module.css';
import {
  type EndOfStay,
  type EntryDevices,
  type RoomVisit,
  type VisitState,
  useRoom,
  useVisit,
} from '../../../../react/index.ts';
import { roomName } from '../room-words.ts';
import { RoomStage } from '../stage/room-stage.tsx';

/** Shows a room: its lobby, the room, and the end of the stay. */
export default function Room() {
  const { roomId = '' } = useParams();
  const [again, setAgain] = useState(0);
  return <Visit key={`${roomId} ${again}`} roomId={roomId} onAgain={() => setAgain((count) => count + 1)} />;
}

interface VisitProps {
  roomId: string;
  /** Begins another visit of the room. */
  onAgain(): void;
}

function Visit({ roomId, onAgain }: VisitProps) {
  const visit = useRoom(roomId);
  const state = useVisit(visit);
  const enter = (devices: EntryDevices): void => void visit.enter(devices);
  useEntryOfMove(visit, state, enter);

  const { stage } = state;
  switch (stage.name) {
    case 'loading':
      return <Loading />;
    case 'failed':
      return <Failed onRetry={visit.load} />;
    case 'missing':
      return (
        <Card icon={<DoorClosed />} title={m.room_missing()} hint={m.room_missing_hint()}>
          <LinkButton look="primary" to="/rooms">
            {m.room_to_list()}
          </LinkButton>
        </Card>
      );
    case 'lobby':
      return <Lobby visit={visit} state={state} onEnter={enter} />;
    case 'entering':
    case 'inside':
      return <RoomStage visit={visit} state={state} />;
    case 'over':
      return <Over state={state} reason={stage.reason} durationMs={stage.durationMs} onAgain={onAgain} />;
    default:
      return stage satisfies never;
  }
}

/** The devices of a call that moves into the room. The page that opens the room passes them on. */
const entryOfMove = v.object({ enter: v.object({ microphone: v.boolean(), camera: v.boolean() }) });

/** Enters at once when a call moves into the room. A reload shows the lobby. */
function useEntryOfMove(visit: RoomVisit, { stage }: VisitState, enter: (devices: EntryDevices) => void): void {
  const { state: passed, pathname, search } = useLocation();
  const navigate = useNavigate();
  const asked = v.safeParse(entryOfMove, passed);
  const devices = asked.success ? asked.output.enter : null;
  const isReady = stage.name === 'lobby' && stage.refusal === null;
  useEffect(() => {
    if (devices === null || !isReady) return;
    void navigate(pathname + search, { replace: true, state: null });
    enter(devices);
    // The effect follows the stage alone: the other values are those of the same render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isReady, visit]);
}

function Loading() {
  return (
    <main className={styles.page} aria-busy>
      <h1 className="visually-hidden">{m.rooms_title()}</h1>
      <div role="status" className={styles.loading}>
        <span className="visually-hidden">{m.load_busy()}</span>
        <Skeleton className={styles.titleSkeleton} />
        <Skeleton className={styles.previewSkeleton} />
        <Skeleton className={styles.buttonSkeleton} />
      </div>
    </main>
  );
}

function Failed({ onRetry }: { onRetry(): void }) {
  const isOnline = useIsOnline();
  return (
    <Card
      icon={isOnline ? <ServerOff /> : <WifiOff />}
      title={isOnline ? m.room_failed() : m.load_offline()}
      hint={isOnline ? m.rooms_failed_hint() : m.load_offline_hint()}
      role="alert"
    >
      <Button look="primary" onClick={onRetry}>
        <RefreshCw aria-hidden="true" size={18} />
        {m.retry()}
      </Button>
      <LinkButton to="/rooms">{m.room_to_list()}</LinkButton>
    </Card>
  );
}

interface OverProps {
  state: VisitState;
  reason: EndOfStay;
  durationMs: number;
  onAgain(): void;
}

/** The texts of the end of a stay. A deleted room cannot be entered again. */
const ENDS: Readonly<Record<EndOfStay, { icon: ReactNode; title(): string; hint: (() => string) | null }>> = {
  left: { icon: <PhoneOff />, title: m.room_over_left, hint: null },
  kicked: { icon: <UserRoundX />, title: m.room_over_kicked, hint: m.room_over_kicked_hint },
  lost: { icon: <WifiOff />, title: m.room_over_lost, hint: m.room_over_lost_hint },
  deleted: { icon: <Trash2 />, title: m.room_over_deleted, hint: m.room_over_deleted_hint },
};

function Over({ state, reason, durationMs, onAgain }: OverProps) {
  const { icon, title, hint } = ENDS[reason];
  const name = state.facts === null ? '' : roomName(state.facts);
  const time = formatDuration(Math.floor(durationMs / 1000));
  return (
    <Card icon={icon} title={title()} hint={hint?.() ?? m.room_over_time({ name, time })} isAnswer>
      {reason !== 'deleted' && (
        <Button look="primary" onClick={onAgain}>
          <LogIn aria-hidden="true" size={18} />
          {m.room_again()}
        </Button>
      )}
      <LinkButton look={reason === 'deleted' ? 'primary' : 'quiet'} to="/rooms">
        {m.room_to_list()}
      </LinkButton>
    </Card>
  );
}

interface CardProps {
  icon: ReactNode;
  title: string;
  hint: string;
  role?: 'alert';
  isAnswer?: boolean;
  children: ReactNode;
}

function Card({ icon, children, ...rest }: CardProps) {
  return (
    <main className={styles.page}>
      <StateCard level={1} icon={icon} {...rest}>
        <span className={styles.choices}>{children}</span>
      </StateCard>
    </main>
  );
}
