import { useEffect, useState, useRef } from 'react';
import { type ActiveCall, type CallParty, type IncomingCall, isLive, useCalls } from '../../../../react/index.ts';
import { recoverDevices } from '../../devices/recover-devices.ts';
import { usePorts, usePreferences } from '../../../core/hooks/areas.ts';
import { useCalling } from '../use-calling.ts';
import { onDemand } from '../../shell/on-demand.tsx';
import { useStore } from '../../../../ui/store/use-store.ts';
import { RoomOverlays } from '../../rooms/overlays/room-overlays.tsx';
import { CallAnnouncer } from './call-announcer.tsx';
import { useChatWith } from './chat-with.ts';
import { CallView } from './call-view/call-view.tsx';
import { type Attention, createAttention, mayPlaySound } from './incoming-call/attention.ts';
import { IncomingCallCard } from './incoming-call/incoming-call-card.tsx';
import type { AboutParty } from './party-sheet.tsx';
import { MissedCallToast } from './missed-call/missed-call-toast.tsx';
import { useLocation } from 'react-router-dom';

const { Part: BeforeCallSheet } = onDemand(
  async () => (await import('./before-call/before-call-sheet.tsx')).BeforeCallSheet,
);
const { Part: PartySheet } = onDemand(async () => (await import('./party-sheet.tsx')).PartySheet);

interface CallOverlaysProps {
  /** True when the app has a screen for a chat with the other user. */
  canChat: boolean;
}

/** Renders the calls above every screen (app-shell §2). */
export function CallOverlays({ canChat }: CallOverlaysProps) {
  const ports = usePorts();
  const { calling, callDock, dialer } = useCalling();
  const [opened, setOpened] = useState<{ about: AboutParty; party: CallParty } | null>(null);
  const isBeforeCall = useStore(dialer.before) !== null;
  const { incoming, active, held, missed } = useCalls();
  const [attention] = useState(() => createAttention(document, ports.clock));
  const [ringing] = incoming;
  useEffect(() => attention.watch(), [attention]);
  useEffect(() => recoverDevices({ calling, permissions: ports.devicePermissions }), [calling, ports]);
  useDockOnNavigation(callDock.dock);
  useLeaveGuard(isLive(active) || held.length > 0);

  return (
    <>
      {active !== null && (
        <CallView
          key={active.key}
          call={active}
          held={held}
          canChat={canChat}
          onAbout={(about) => setOpened({ about, party: active.party })}
        />
      )}
      {ringing !== undefined && <Ringing key={ringing.callId} call={ringing} active={active} attention={attention} />}
      {missed !== null && ringing === undefined && active === null && <MissedCallToast call={missed} />}
      {isBeforeCall && <BeforeCallSheet />}
      {opened !== null && <PartySheet {...opened} onClose={() => setOpened(null)} />}
      <RoomOverlays />
      <CallAnnouncer />
    </>
  );
}

interface RingingProps {
  call: IncomingCall;
  active: ActiveCall | null;
  attention: Attention;
}

/** Shows a ringing call. Its size and its sound hint depend on the state when the call began to ring. */
function Ringing({ call, active, attention }: RingingProps) {
  const { sound } = usePreferences();
  const { say } = useChatWith();
  const [fills] = useState(() => active === null && attention.isAway());
  const [isSilent] = useState(() => sound.volume.get() > 0 && !mayPlaySound(navigator));
  return (
    <IncomingCallCard
      call={call}
      present={presentOf(active)}
      fills={fills}
      isSilent={isSilent}
      onReply={(text) => void say(call.party, text)}
    />
  );
}

/** Returns what can be done with the call in front. An unanswered outgoing call can be canceled and cannot be held. */
function presentOf(active: ActiveCall | null): 'holdable' | 'endable' | null {
  if (!isLive(active)) return null;
  return active.stage.name === 'outgoing' ? 'endable' : 'holdable';
}

/** Docks the call when the user opens another screen, so that the call neither disappears nor covers the screen. */
function useDockOnNavigation(dock: () => void): void {
  const { pathname } = useLocation();
  const known = useRef(pathname);
  useEffect(() => {
    if (known.current === pathname) return;
    known.current = pathname;
    dock();
  }, [pathname, dock]);
}

/**
 * Makes the browser ask before the page closes during a call. Listens only then: a page that listens is not kept for
 * back navigation.
 */
function useLeaveGuard(isUp: boolean): void {
  useEffect(() => {
    if (!isUp) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUp]);
}
