import { useServices } from '../services/services-context.ts';
import { useStore } from '../store/use-store.ts';
import { CallAnnouncer } from './call-announcer.tsx';
import { CallView } from './call-view/call-view.tsx';
import { IncomingCallCard } from './incoming-call/incoming-call-card.tsx';
import { MissedCallToast } from './missed-call/missed-call-toast.tsx';

/** Calls, above any screen (app-shell §2). */
export function CallOverlays() {
  const { calling } = useServices();
  const { incoming, active, missed } = useStore(calling.state);
  const [ringing] = incoming;

  return (
    <>
      {active !== null && <CallView call={active} />}
      {ringing !== undefined && (
        <IncomingCallCard
          key={ringing.callId}
          call={ringing}
          endsCurrent={active !== null && active.stage.name !== 'ended'}
        />
      )}
      {missed !== null && ringing === undefined && active === null && <MissedCallToast call={missed} />}
      <CallAnnouncer />
    </>
  );
}
