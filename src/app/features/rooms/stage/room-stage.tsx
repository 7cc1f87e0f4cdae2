import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useStore } from '../../../../ui/store/use-store.ts';
import { usePorts } from '../../../core/hooks/areas.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { useUi } from '../../../ui/use-ui.ts';
import { useFloating } from '../../calling/overlays/floating/use-floating.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { RoomAudio, type RoomVisit, type VisitState, hasMix, hasVideo } from '../../../../react/index.ts';
import { FloatingRoom } from './floating-room.tsx';
import { RoomAnnouncer } from './room-announcer.tsx';
import { RoomBar } from './room-bar.tsx';
import { RoomControls } from './room-controls.tsx';
import { RoomNotices } from './room-notices.tsx';
import styles from './room-stage.module.css';
import { type Speakers, browserMeter, createSpeakers } from './speakers.ts';
import { Stage, type StageView } from './stage.tsx';
import { useRoomKeys } from './use-room-keys.ts';

const { Part: InviteSheet } = onDemand(async () => (await import('./invite-sheet.tsx')).InviteSheet);
const { Part: MoreSheet } = onDemand(async () => (await import('./more-sheet.tsx')).MoreSheet);
const { Part: PeopleSheet } = onDemand(async () => (await import('./people-sheet.tsx')).PeopleSheet);

interface RoomStageProps {
  visit: RoomVisit;
  state: VisitState;
}

/** Shows the room full-page while the user is in it. */
export function RoomStage({ visit, state }: RoomStageProps) {
  const { clock, logger } = usePorts();
  const { toasts } = useUi();
  const [speakers] = useState<Speakers>(() => createSpeakers(clock, browserMeter()));
  const [view, setView] = useState<StageView>('grid');
  const [pinned, setPinned] = useState<string | null>(null);
  const [sheet, setSheet] = useState<'people' | 'invite' | 'more' | null>(null);
  const root = useRef<HTMLElement>(null);
  const floating = useFloating(logger, () => toasts.show(m.room_float_failed()));
  const { facts } = state;
  const { active } = useStore(speakers.state);
  useEffect(() => root.current?.focus({ preventScroll: true }), []);
  useRoomKeys({ isOpen: sheet === null, onMicrophone: visit.toggleMicrophone, onCamera: visit.toggleCamera });
  useInviteOfAddress(visit, state);
  if (facts === null) return null;

  const videoRoom = hasVideo(facts.type);
  function pin(participantId: string): void {
    setPinned((now) => (now === participantId ? null : participantId));
    setView('speaker');
  }
  async function float(): Promise<void> {
    setSheet(null);
    await floating.open(root.current?.querySelector<HTMLVideoElement>(mainVideo(pinned ?? active)) ?? null);
  }

  return (
    <main ref={root} tabIndex={-1} className={styles.room} data-reconnecting={isReconnecting(state) || undefined}>
      <RoomBar
        state={state}
        view={view}
        onView={setView}
        onPeople={() => setSheet('people')}
        onInvite={() => setSheet('invite')}
      />
      <RoomNotices visit={visit} state={state} />
      <Stage visit={visit} state={state} speakers={speakers} view={view} pinned={pinned} onPin={pin} />
      {hasMix(facts.type) && !videoRoom && <RoomAudio visit={visit} />}
      <RoomControls visit={visit} state={state} onPeople={() => setSheet('people')} onMore={() => setSheet('more')} />
      <RoomAnnouncer state={state} />
      {floating.opened !== null && <FloatingRoom {...floating.opened} visit={visit} state={state} />}
      {sheet === 'people' && (
        <PeopleSheet
          visit={visit}
          state={state}
          speakers={speakers}
          onInvite={() => setSheet('invite')}
          onClose={() => setSheet(null)}
        />
      )}
      {sheet === 'invite' && <InviteSheet visit={visit} state={state} onClose={() => setSheet(null)} />}
      {sheet === 'more' && (
        <MoreSheet visit={visit} state={state} onFloat={() => void float()} onClose={() => setSheet(null)} />
      )}
    </main>
  );
}

const isReconnecting = ({ stage }: VisitState): boolean => stage.name === 'inside' && stage.isReconnecting;

/** Returns the selector of the picture for the floating window: of one participant, or the first that is shown. */
function mainVideo(participantId: string | null): string {
  const first = '[data-participant] video:not([hidden], [data-mirrored])';
  return participantId === null ? first : `[data-participant="${CSS.escape(participantId)}"] video`;
}

/** Invites the user that the address names, once this user is inside. So a profile can begin a room. */
function useInviteOfAddress(visit: RoomVisit, { stage }: VisitState): void {
  const [search, setSearch] = useSearchParams();
  const { toasts } = useUi();
  const invitee = search.get('invite');
  const isInside = stage.name === 'inside';
  useEffect(() => {
    if (invitee === null || !isInside) return;
    setSearch({}, { replace: true });
    void visit.invite(invitee).then((sent) => toasts.show(sent ? m.invite_sent() : m.invite_failed()));
    // The address loses the user with the first run.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isInside, visit]);
}
