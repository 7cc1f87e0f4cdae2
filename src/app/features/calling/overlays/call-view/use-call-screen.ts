import { type RefObject, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { createStore } from '../../../../../common/store.ts';
import { useStore } from '../../../../../ui/store/use-store.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import type { Ports } from '../../../../core/ports/browser-ports.ts';
import { usePorts, useSession, useTicks } from '../../../../core/hooks/areas.ts';
import { useCalling } from '../../use-calling.ts';
import { useCallMove } from '../../../rooms/use-call-move.ts';
import { useBrowserKind } from '../../../devices/browser-kind.ts';
import { useUi } from '../../../../ui/use-ui.ts';
import { saveFrom } from '../../../../../ui/kit/save-file.ts';
import { useFocusReturn } from '../../../../../ui/layers/use-focus-return.ts';
import { type ActiveCall, useDevicePreview } from '../../../../../react/index.ts';
import { displayName } from '../../call-state.ts';
import type { CallingService } from '../../calling-service.ts';
import { useChatWith } from '../chat-with.ts';
import type { CallDock } from '../dock/call-dock.ts';
import { type Floating, useFloating } from '../floating/use-floating.ts';
import type { AboutParty } from '../party-sheet.tsx';
import { type CallActions, createCallActions } from './call-actions.ts';
import { type CallScreen, callScreen } from './call-screen.ts';
import type { CallSurroundings } from './call-view-model.ts';
import { createFullscreen } from './fullscreen.ts';
import { createIdleVisibility } from './idle-visibility.ts';
import { createPassingNotice } from './passing-notice.ts';
import { useCallKeys } from './use-call-keys.ts';
import { meterLevel } from '../../../devices/level-meter.ts';
import { createSpeechDetector } from '../../../devices/loudness.ts';

interface CallScreenOptions {
  readonly call: ActiveCall;
  /** True when the app has a screen for a chat with the other user. */
  readonly canChat: boolean;
  /** Opens a sheet about the other user, under the small call or after the call. */
  onAbout(about: AboutParty): void;
  /** The element of the screen. */
  readonly root: RefObject<HTMLElement | null>;
  /** The button of the panel of further actions. */
  readonly moreButton: RefObject<HTMLElement | null>;
}

/** The content and the handlers of the call screen. */
export interface ShownCall extends CallScreen {
  readonly call: ActiveCall;
  readonly calling: CallingService;
  readonly dock: CallDock;
  /** True while the call is docked to a corner. */
  readonly isDocked: boolean;
  readonly isMoreOpen: boolean;
  /** True while the user has touched the screen lately. */
  readonly touchedLately: boolean;
  /** Shows the controls. */
  touch(): void;
  /** True while the user speaks into the muted microphone. */
  readonly isSpeakingWhileMuted: boolean;
  /** A message that disappears after a few seconds. Null without one. */
  readonly passing: string | null;
  readonly actions: CallActions;
  readonly floating: Floating;
  toggleFullscreen(): void;
  /** Opens the screen where the user buys coins. */
  recharge(): void;
  /** The element that plays the other user of a video call. */
  readonly video: RefObject<HTMLVideoElement | null>;
}

/** Follows a call, the page and the money of the call, and returns what the call screen shows and does. */
export function useCallScreen(options: CallScreenOptions): ShownCall {
  const { call, root } = options;
  const ports = usePorts();
  const { calling, dialer, callDock, billing } = useCalling();
  const isDocked = useStore(callDock.state).key === call.key;
  const video = useRef<HTMLVideoElement>(null);
  const parts = useScreenParts(ports);
  const { controls, fullscreen, passing, isMoreOpen } = parts;
  const surroundings = useSurroundings(useStore(fullscreen.isOn), options.canChat);
  const money = { bill: useStore(billing.bills).get(call.callId), quote: useStore(dialer.quote) };
  const screen = callScreen(call, surroundings, money);
  const { lowMinutes } = screen;
  const navigate = useNavigate();
  const floating = useFloating(ports.logger, callDock.dock);
  const actions = useCallActions(options, parts, () => floating.open(video.current));
  const toggleFullscreen = (): void => void fullscreen.toggle();
  const isSpeakingWhileMuted = useSpeakingWhileMuted(screen.hearsMuted);
  useEffect(() => {
    if (lowMinutes !== null) passing.say(m.billing_low_minutes({ minutes: lowMinutes }));
  }, [lowMinutes, passing]);
  useFocusReturn();
  useFocusWhenShown(root, !isDocked);
  useCallKeys({
    controls: screen.view.controls,
    disabled: isDocked,
    onMicrophone: calling.toggleMicrophone,
    onCamera: calling.toggleCamera,
    onFullscreen: toggleFullscreen,
    onEscape: actions.escape,
  });

  return {
    ...screen,
    call,
    calling,
    dock: callDock,
    isDocked,
    isMoreOpen: useStore(isMoreOpen),
    touchedLately: useStore(controls),
    touch: controls.touch,
    isSpeakingWhileMuted,
    passing: useStore(passing),
    actions,
    floating,
    toggleFullscreen,
    recharge: () => void navigate('/purchase/deposit'),
    video,
  };
}

/** Returns the parts of the screen that keep their state between renders. */
function useScreenParts({ clock, logger }: Pick<Ports, 'clock' | 'logger'>) {
  const [parts] = useState(() => ({
    fullscreen: createFullscreen(document, logger),
    controls: createIdleVisibility(clock),
    passing: createPassingNotice(clock),
    isMoreOpen: createStore(false),
  }));
  return parts;
}

/** Returns what the screen shows besides the call and its money. */
function useSurroundings(isFullscreen: boolean, canChat: boolean): CallSurroundings {
  const { seconds } = useTicks();
  const { user } = useSession();
  return {
    now: useStore(seconds),
    isFullscreen,
    canShareScreen: 'getDisplayMedia' in (navigator.mediaDevices ?? {}),
    canChat,
    canGive: useStore(user.user).genderType === 'man',
  };
}

/** Returns the actions for the present render. They read elements later. */
function useCallActions(
  { call, moreButton, onAbout }: CallScreenOptions,
  parts: ReturnType<typeof useScreenParts>,
  float: () => Promise<void>,
): CallActions {
  const { calling, dialer, callDock } = useCalling();
  const { dialogs } = useUi();
  const { devicePermissions } = usePorts();
  const browser = useBrowserKind();
  const { open: openChat } = useChatWith();
  const move = useCallMove();
  return createCallActions({
    ...parts,
    call,
    calling,
    dialer,
    dock: callDock,
    dialogs,
    permissions: devicePermissions,
    browser,
    focusMoreButton: () => moreButton.current?.focus(),
    float,
    moveToRoom: () => move.start({ name: m.move_room_name({ name: displayName(call.party) }) }),
    save: saveFrom,
    openChat,
    openSheet: onAbout,
  });
}

/** Focuses an element when it is shown, unless the focus is already inside of it. */
function useFocusWhenShown(root: RefObject<HTMLElement | null>, isShown: boolean): void {
  useEffect(() => {
    // The resume button or the button that closes the summary may already have the focus.
    const isTaken = root.current?.contains(document.activeElement) === true;
    if (isShown && !isTaken) root.current?.focus({ preventScroll: true });
  }, [isShown, root]);
}

/** Returns whether the user speaks into the muted microphone. The sound is only measured, and never sent. */
function useSpeakingWhileMuted(isMuted: boolean): boolean {
  const { clock } = usePorts();
  const [isSpeaking, setIsSpeaking] = useState(false);
  const stream = useDevicePreview(isMuted ? MICROPHONE : null)?.stream;

  useEffect(() => {
    if (stream === undefined) return undefined;
    const detect = createSpeechDetector();
    const stopMeter = meterLevel(stream, clock, (level) => setIsSpeaking(detect(level)));
    return () => {
      stopMeter();
      setIsSpeaking(false);
    };
  }, [stream, clock]);

  return isSpeaking;
}

/** The devices that are measured. */
const MICROPHONE = { camera: false };
