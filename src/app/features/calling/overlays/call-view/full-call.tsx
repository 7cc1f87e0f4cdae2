import { MicOff, VideoOff } from 'lucide-react';
import type { RefObject } from 'react';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../ui/people/picture.tsx';
import { type ActiveCall, CallVideo, useDevices } from '../../../../../react/index.ts';
import { MoveNotice } from '../../../rooms/overlays/move-notice.tsx';
import { CallControls } from './call-controls.tsx';
import type { CallViewModel } from './call-view-model.ts';
import styles from './call-view.module.css';
import { EndedSummary } from './ended-summary.tsx';
import { MorePanel } from './more-panel/more-panel.tsx';
import { BillingChip } from './parts/billing-chip.tsx';
import { HeldCalls } from './parts/held-calls.tsx';
import { HoldScrim } from './parts/hold-scrim.tsx';
import { Notices } from './parts/notices.tsx';
import { Portrait } from './parts/portrait.tsx';
import { TopBar } from './parts/top-bar.tsx';
import type { ShownCall } from './use-call-screen.ts';

interface FullCallProps {
  screen: ShownCall;
  /** The held calls. */
  held: readonly ActiveCall[];
  /** The ring around the portrait, which moves with the voice. */
  ring: RefObject<HTMLSpanElement | null>;
  moreButton: RefObject<HTMLButtonElement | null>;
}

/** Renders everything of a full-page call except the media of the other user. */
export function FullCall({ screen, held, ring, moreButton }: FullCallProps) {
  const { call, calling, view } = screen;
  return (
    <>
      <Cover url={view.profileUrl} />
      {view.selfView !== 'none' && <SelfView call={call.key} view={view} />}
      <div className={styles.scrim} aria-hidden="true" data-fades />
      {view.phase.name !== 'ended' && <AboveStage screen={screen} held={held} moreButton={moreButton} />}
      {!view.showsRemoteVideo && view.hold === null && (
        <Portrait
          name={view.name}
          profileUrl={view.profileUrl}
          phase={view.phase}
          small={screen.hasSmallPortrait}
          note={screen.note}
          ring={ring}
        />
      )}
      {view.hold !== null && (
        <HoldScrim
          by={view.hold}
          name={view.name}
          busy={call.busy.includes('hold')}
          onResume={() => void calling.resume()}
        />
      )}
      {view.remoteMuted && (
        <p className={styles.muted}>
          <MicOff aria-hidden="true" size={16} />
          {m.call_remote_muted()}
        </p>
      )}
      <BelowStage screen={screen} />
      {screen.isMoreOpen && view.phase.name !== 'ended' && <More screen={screen} />}
    </>
  );
}

/** Renders the bar and the notices of a call that has not ended. */
function AboveStage({ screen, held, moreButton }: Omit<FullCallProps, 'ring'>) {
  const { actions, bill, calling, view } = screen;
  return (
    <>
      <TopBar
        view={view}
        billing={bill && <BillingChip bill={bill} />}
        isMoreOpen={screen.isMoreOpen}
        moreButton={moreButton}
        onDock={screen.dock.dock}
        onMore={actions.toggleMore}
      />
      <Notices
        view={view}
        bill={bill}
        isSpeakingWhileMuted={screen.isSpeakingWhileMuted}
        isRetrying={screen.call.busy.includes('devices')}
        passing={screen.passing}
        onRecharge={screen.recharge}
        onRetryDevices={() => void actions.allowDevices()}
        onCameraOff={calling.toggleCamera}
        onUnmute={calling.toggleMicrophone}
        onStopSharing={() => void calling.toggleScreenShare()}
      >
        <MoveNotice />
        {held.length > 0 && <HeldCalls calls={held} onSwitch={(other) => void calling.switchTo(other)} />}
      </Notices>
    </>
  );
}

/** Renders the controls of a call, or its summary after the end. */
function BelowStage({ screen }: { screen: ShownCall }) {
  const { actions, calling, view } = screen;
  return view.phase.name === 'ended' ? (
    <EndedSummary
      phase={view.phase}
      hint={screen.hint}
      bill={screen.bill}
      rates={view.rates ? screen.call.callId : null}
      extras={view.extras}
      onExtra={(name) => void actions.doExtra(name)}
      onRedial={actions.redial}
      onClose={calling.dismissSummary}
    />
  ) : (
    <CallControls
      controls={view.controls}
      onMicrophone={calling.toggleMicrophone}
      onCamera={calling.toggleCamera}
      onSwitchCamera={() => void calling.switchCamera()}
      onFullscreen={screen.toggleFullscreen}
      onEnd={calling.end}
    />
  );
}

/** Renders the portrait of the other user, out of focus, behind everything except video. */
function Cover({ url }: { url: string }) {
  return (
    <div className={styles.cover} aria-hidden="true">
      <Picture url={url} shape="portrait" eager />
    </div>
  );
}

function SelfView({ call, view }: { call: string; view: CallViewModel }) {
  return (
    <div className={styles.self} data-place={view.selfView}>
      <CallVideo
        call={call}
        side="local"
        aria-label={view.sharesScreen ? m.call_self_screen() : m.call_self_view()}
        data-mirrored={view.selfViewMirrored || undefined}
        hidden={!view.showsSelf}
      />
      {!view.showsSelf && (
        <span className={styles.selfOff}>
          <VideoOff aria-hidden="true" />
          <span className="visually-hidden">{m.call_self_camera_off()}</span>
        </span>
      )}
    </div>
  );
}

function More({ screen }: { screen: ShownCall }) {
  const { actions, call, view } = screen;
  const { lists, choose } = useDevices();
  return (
    <MorePanel
      view={view}
      devices={lists}
      areDevicesBusy={call.busy.includes('devices')}
      quality={call.quality}
      onExtra={(name) => void actions.doExtra(name)}
      onDevice={(kind, id) => void choose(kind, id)}
      onClose={actions.closeMore}
    />
  );
}
