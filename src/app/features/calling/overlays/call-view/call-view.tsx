import { MicOff, VideoOff } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Quote } from '../../../../../protocol/product/calls.ts';
import { billView } from '../../call-billing.ts';
import type { ActiveCall } from '../../call-state.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../ui/kit/picture.tsx';
import { denialOf } from '../../../devices/denial.ts';
import { permissionQuestion } from '../../../devices/permission-steps.ts';
import { saveFrom } from '../../../../ui/kit/save-file.ts';
import { useFocusReturn } from '../../../../ui/layers/use-focus-return.ts';
import { useServices } from '../../../../services/services-context.ts';
import { useStore } from '../../../../core/store/use-store.ts';
import { useChatWith } from '../chat-with.ts';
import mini from '../dock/mini-call.module.css';
import { MiniCall } from '../dock/mini-call.tsx';
import { useCornerDrag } from '../dock/use-corner-drag.ts';
import { FloatingCall } from '../floating/floating-call.tsx';
import { useFloating } from '../floating/use-floating.ts';
import { quoteText } from '../quote-text.ts';
import { useSpeakingWhileMuted } from '../voice/use-speaking-while-muted.ts';
import { VoiceAudio } from '../voice/voice-audio.tsx';
import { CallControls } from './call-controls.tsx';
import type { AboutParty } from '../party-sheet.tsx';
import { type CallExtra, type CallViewModel, callViewModel } from './call-view-model.ts';
import styles from './call-view.module.css';
import { EndedSummary } from './ended-summary.tsx';
import { createFullscreen } from './fullscreen.ts';
import { createIdleVisibility } from './idle-visibility.ts';
import { MorePanel } from './more-panel/more-panel.tsx';
import { BillingChip } from './parts/billing-chip.tsx';
import { HeldCalls } from './parts/held-calls.tsx';
import { HoldScrim } from './parts/hold-scrim.tsx';
import { Notices } from './parts/notices.tsx';
import { Portrait } from './parts/portrait.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { createPassingNotice } from './passing-notice.ts';
import { RemoteVideo } from './remote-video.tsx';
import { resultHint } from './result-text.ts';
import { useCallKeys } from './use-call-keys.ts';

interface CallViewProps {
  call: ActiveCall;
  /** The held calls. */
  held: readonly ActiveCall[];
  /** True when the app has a screen for a chat with the other user. */
  canChat: boolean;
  /** Opens a sheet about the other user, under the small call or after the call. */
  onAbout(about: AboutParty): void;
}

/**
 * Renders the call full-page, or docked to a corner while the user looks at another screen. Both forms share their
 * media elements, so that docking interrupts no playback.
 */
export function CallView({ call, held, canChat, onAbout }: CallViewProps) {
  const { calling, dialer, callDock, billing, browser, dialogs, ports, seconds, user } = useServices();
  const { key } = call;
  const dock = useStore(callDock.state);
  const isDocked = dock.key === key;
  const root = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const remote = useRef<HTMLVideoElement | null>(null);
  const moreButton = useRef<HTMLButtonElement>(null);
  const [fullscreen] = useState(() => createFullscreen(document, ports.logger));
  const [controlsSeen] = useState(() => createIdleVisibility(ports.clock));
  const [passing] = useState(() => createPassingNotice(ports.clock));
  const [isMoreOpen, setIsMoreOpen] = useState(false);
  const touchedLately = useStore(controlsSeen);
  const now = useStore(seconds);
  const bill = useStore(billing.bills).get(call.callId);
  const quote = useStore(dialer.quote);
  const money = bill === undefined ? null : billView(bill, now);
  const view = callViewModel(call, {
    now,
    isFullscreen: useStore(fullscreen.isOn),
    canShareScreen: 'getDisplayMedia' in (navigator.mediaDevices ?? {}),
    canChat,
    canGive: useStore(user.user).genderType === 'man',
  });
  const chat = useChatWith();
  const navigate = useNavigate();
  const floating = useFloating(ports.logger, callDock.dock);
  const drag = useCornerDrag(callDock.moveTo);
  const isMuted = view.phase.name === 'connected' && view.hold === null && isOff(view, 'microphone');
  const isSpeakingWhileMuted = useSpeakingWhileMuted(isMuted);
  const passingText = useStore(passing);
  const hasEnded = view.phase.name === 'ended';
  const lowMinutes = money?.kind === 'pays' && money.warning?.name === 'low' ? money.warning.minutes : null;
  useEffect(() => {
    if (lowMinutes !== null) passing.say(m.billing_low_minutes({ minutes: lowMinutes }));
  }, [lowMinutes, passing]);

  const setLocal = useCallback(
    (element: HTMLMediaElement | null) => calling.setLocalView(key, element),
    [calling, key],
  );
  const setRemote = useCallback(
    (element: HTMLMediaElement | null) => {
      remote.current = element instanceof HTMLVideoElement ? element : null;
      calling.setRemoteView(key, element);
    },
    [calling, key],
  );
  const ringOf = useCallback(() => ring.current, []);

  useFocusReturn();
  useEffect(() => {
    // The resume button or the button that closes the summary may already have the focus.
    const isTaken = root.current?.contains(document.activeElement) === true;
    if (!isDocked && !isTaken) root.current?.focus({ preventScroll: true });
  }, [isDocked]);

  function closeMore(): void {
    setIsMoreOpen(false);
    moreButton.current?.focus();
  }

  useCallKeys({
    controls: view.controls,
    disabled: isDocked,
    onMicrophone: calling.toggleMicrophone,
    onCamera: calling.toggleCamera,
    onFullscreen: () => void fullscreen.toggle(),
    onEscape: isMoreOpen ? closeMore : hasEnded ? calling.dismissSummary : controlsSeen.touch,
  });

  async function doExtra(name: CallExtra['name']): Promise<void> {
    setIsMoreOpen(false);
    moreButton.current?.focus();
    if (name === 'hold') await (call.hold.here ? calling.resume() : calling.hold());
    else if (name === 'screenShare') await calling.toggleScreenShare();
    else if (name === 'pictureInPicture') await floating.open(remote.current);
    else if (name === 'capture') await capture();
    else if (name === 'message') await write();
    else about(name);
  }

  /** Docks the call, or dismisses its summary. */
  function leave(): void {
    if (hasEnded) calling.dismissSummary();
    else callDock.dock();
  }

  function about(what: AboutParty): void {
    leave();
    onAbout(what);
  }

  async function write(): Promise<void> {
    leave();
    await chat.open(call.party);
  }

  /** Explains how to change a stored denial first, since the browser would only repeat it. */
  async function allowDevices(): Promise<void> {
    const denial = await denialOf(call.missing, ports.devicePermissions);
    const isReady =
      denial === null || denial === 'dismissed' || (await dialogs.confirm(permissionQuestion(denial, browser)));
    if (isReady) await calling.retryDevices();
  }

  async function capture(): Promise<void> {
    const picture = await calling.capture();
    if (picture !== null) saveFrom(picture, `${view.name}.png`);
    passing.say(picture === null ? m.capture_failed() : m.capture_done());
  }

  function openMore(): void {
    calling.devices.look();
    setIsMoreOpen((isOpen) => !isOpen);
  }

  return (
    <div
      ref={root}
      role={isDocked ? 'region' : 'dialog'}
      aria-modal={isDocked ? undefined : true}
      aria-label={
        call.kind === 'video' ? m.call_label_video({ name: view.name }) : m.call_label_voice({ name: view.name })
      }
      tabIndex={-1}
      className={isDocked ? mini.mini : styles.stage}
      data-phase={view.phase.name}
      data-hold={view.hold ?? undefined}
      {...(isDocked
        ? { 'data-corner': dock.corner, 'data-picture': view.showsRemoteVideo || undefined, ...drag }
        : {
            'data-controls': touchedLately || isMoreOpen || !view.controlsMayHide ? 'shown' : 'hidden',
            onPointerMove: controlsSeen.touch,
            onPointerDown: controlsSeen.touch,
            onKeyDown: controlsSeen.touch,
            onFocus: controlsSeen.touch,
          })}
    >
      {call.kind === 'video' ? (
        <RemoteVideo shown={view.showsRemoteVideo} onElement={setRemote} />
      ) : (
        <VoiceAudio onElement={setRemote} ring={ringOf} />
      )}
      {floating.opened !== null && !hasEnded && (
        <FloatingCall {...floating.opened} view={view} onMicrophone={calling.toggleMicrophone} onEnd={calling.end} />
      )}
      {isDocked ? (
        <MiniCall
          view={view}
          onMicrophone={calling.toggleMicrophone}
          onExpand={callDock.expand}
          onMove={callDock.moveOn}
          onEnd={calling.end}
        />
      ) : (
        <>
          <Cover url={view.profileUrl} />
          {view.selfView !== 'none' && <SelfView view={view} onElement={setLocal} />}
          <div className={styles.scrim} aria-hidden="true" data-fades />
          {!hasEnded && (
            <TopBar
              view={view}
              billing={money && <BillingChip bill={money} />}
              isMoreOpen={isMoreOpen}
              moreButton={moreButton}
              onDock={callDock.dock}
              onMore={openMore}
            />
          )}
          {!hasEnded && (
            <Notices
              view={view}
              bill={money}
              isSpeakingWhileMuted={isSpeakingWhileMuted}
              isRetrying={call.busy.includes('devices')}
              passing={passingText}
              onRecharge={() => void navigate('/purchase/deposit')}
              onRetryDevices={() => void allowDevices()}
              onCameraOff={calling.toggleCamera}
              onUnmute={calling.toggleMicrophone}
              onStopSharing={() => void calling.toggleScreenShare()}
            >
              {held.length > 0 && <HeldCalls calls={held} onSwitch={(other) => void calling.switchTo(other)} />}
            </Notices>
          )}
          {!view.showsRemoteVideo && view.hold === null && (
            <Portrait
              name={view.name}
              profileUrl={view.profileUrl}
              phase={view.phase}
              small={hasEnded || (call.kind === 'video' && view.selfView === 'stage')}
              note={noteOf(call, view, quote)}
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
          {view.phase.name === 'ended' ? (
            <EndedSummary
              phase={view.phase}
              hint={
                view.phase.result === 'dial_failed' && quote?.allowed === false
                  ? m.call_unavailable({ name: view.name })
                  : resultHint(view.phase.result)
              }
              bill={money}
              rates={view.rates ? call.callId : null}
              extras={view.extras}
              onExtra={(name) => void doExtra(name)}
              onRedial={() => {
                calling.dismissSummary();
                void dialer.dial(call.party, call.kind);
              }}
              onClose={calling.dismissSummary}
            />
          ) : (
            <CallControls
              controls={view.controls}
              onMicrophone={calling.toggleMicrophone}
              onCamera={calling.toggleCamera}
              onSwitchCamera={() => void calling.switchCamera()}
              onFullscreen={() => void fullscreen.toggle()}
              onEnd={calling.end}
            />
          )}
          {isMoreOpen && !hasEnded && (
            <More call={call} view={view} onExtra={(name) => void doExtra(name)} onClose={closeMore} />
          )}
        </>
      )}
    </div>
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

function SelfView({ view, onElement }: { view: CallViewModel; onElement(element: HTMLMediaElement | null): void }) {
  return (
    <div className={styles.self} data-place={view.selfView}>
      <video
        ref={onElement}
        autoPlay
        playsInline
        muted
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

interface MoreProps {
  call: ActiveCall;
  view: CallViewModel;
  onExtra(name: CallExtra['name']): void;
  onClose(): void;
}

function More({ call, view, onExtra, onClose }: MoreProps) {
  const { calling } = useServices();
  return (
    <MorePanel
      view={view}
      devices={useStore(calling.devices.lists)}
      areDevicesBusy={call.busy.includes('devices')}
      quality={call.quality}
      onExtra={onExtra}
      onDevice={(kind, id) => void calling.chooseDevice(kind, id)}
      onClose={onClose}
    />
  );
}

/** Returns the cost while the caller's call rings, or later why the other user's picture is missing. */
function noteOf({ kind, role }: ActiveCall, { phase, selfView }: CallViewModel, quote: Quote | null): string | null {
  if (phase.name === 'outgoing' && role === 'caller') return quoteText(quote);
  return kind === 'video' && selfView === 'corner' ? m.call_remote_camera_off() : null;
}

function isOff(view: CallViewModel, name: 'microphone' | 'camera'): boolean {
  return view.controls.some((control) => control.name === name && !control.on && !control.disabled);
}
