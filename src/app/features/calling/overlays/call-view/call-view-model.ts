import type {
  ActiveCall,
  BusyControl,
  CallKind,
  CallResult,
  DeviceFault,
  MissingDevices,
  QualityBand,
} from '../../../../../react/index.ts';
import { displayName } from '../../call-state.ts';

/** The content of the call view at one moment. */
export interface CallViewModel {
  readonly kind: CallKind;
  readonly name: string;
  readonly profileUrl: string;
  readonly phase: CallPhase;
  /** True when the remote picture fills the stage. Otherwise the portrait of the other user does. */
  readonly showsRemoteVideo: boolean;
  /** The place of the local picture: the whole stage until the other user has joined, then a corner. */
  readonly selfView: 'stage' | 'corner' | 'none';
  readonly selfViewMirrored: boolean;
  /** True when the camera is available and on. */
  readonly showsSelf: boolean;
  readonly remoteMuted: boolean;
  /** The devices that the other user does not receive, with the reasons. Null without a missing device. */
  readonly missing: MissingDevices | null;
  /** The sides that hold the call. Null without a hold. */
  readonly hold: 'here' | 'there' | 'both' | null;
  /**
   * The measured quality of the connection. Null without a measurement, and while the call is not connected or is on
   * hold.
   */
  readonly quality: { readonly band: QualityBand; readonly bars: number } | null;
  /** True when the connection is poor and turning the local camera off would help. */
  readonly suggestsCameraOff: boolean;
  readonly sharesScreen: boolean;
  readonly controls: readonly CallControl[];
  /** The entries of the overflow menu. After the call, the entries below the summary. */
  readonly extras: readonly CallExtra[];
  /** True after a call that was connected: the user can rate it. */
  readonly rates: boolean;
  /** Controls may hide only when they cover a moving picture. */
  readonly controlsMayHide: boolean;
}

/** The phase of a call with its durations in whole seconds. */
export type CallPhase =
  | { readonly name: 'outgoing' }
  | { readonly name: 'connecting' }
  | { readonly name: 'connected'; readonly seconds: number }
  | { readonly name: 'reconnecting'; readonly seconds: number; readonly secondsLeft: number }
  | {
      readonly name: 'ended';
      readonly result: CallResult;
      readonly byCaller: boolean;
      readonly seconds: number;
      readonly errorCode: number | null;
    };

/** A control of a call, in the order of app-shell §2. */
export type CallControl =
  | { readonly name: 'microphone' | 'camera'; readonly on: boolean; readonly disabled: boolean }
  | { readonly name: 'switchCamera'; readonly disabled: boolean }
  | { readonly name: 'fullscreen'; readonly on: boolean; readonly disabled: boolean }
  | { readonly name: 'end' };

/** An action that is not among the controls. */
export interface CallExtra {
  readonly name: 'hold' | 'room' | 'screenShare' | 'pictureInPicture' | 'capture' | 'message' | 'gift' | 'report';
  readonly on: boolean;
  readonly disabled: boolean;
}

/** The state of the page that the call view depends on. */
export interface CallSurroundings {
  readonly now: number;
  readonly isFullscreen: boolean;
  /** True when the browser supports screen sharing. */
  readonly canShareScreen: boolean;
  /** True when the app has a screen for a chat with the other user. */
  readonly canChat: boolean;
  /** True when the user can send gifts. */
  readonly canGive: boolean;
}

const BARS: Readonly<Record<QualityBand, number>> = {
  unavailable: 0,
  poor: 1,
  fair: 2,
  average: 3,
  good: 4,
  excellent: 4,
};
/** One poor measurement may be accidental. Two successive ones cover six seconds. */
const POOR_FOR_LONG = 2;

/** Returns the content of the call view for a call and the state of the page. */
export function callViewModel(call: ActiveCall, surroundings: CallSurroundings): CallViewModel {
  const { now } = surroundings;
  const phase = phaseOf(call, now);
  const hasEnded = phase.name === 'ended';
  const isUp = phase.name === 'connected' || phase.name === 'reconnecting';
  const isVideo = call.kind === 'video';
  const hold = hasEnded ? null : holdOf(call);
  const quality = phase.name === 'connected' && hold === null ? call.quality : null;
  return {
    kind: call.kind,
    name: displayName(call.party),
    profileUrl: call.party.profileUrl,
    phase,
    showsRemoteVideo: isVideo && isUp && call.remoteCameraOn && hold === null,
    selfView: !isVideo || hasEnded ? 'none' : isUp ? 'corner' : 'stage',
    selfViewMirrored: call.facing === 'user' && !call.sharingScreen,
    showsSelf: hold === null && (call.sharingScreen || (call.cameraOn && call.missing.camera === undefined)),
    remoteMuted: isUp && hold === null && !call.remoteMicrophoneOn,
    missing: hasEnded || Object.keys(call.missing).length === 0 ? null : call.missing,
    hold,
    quality: quality && { band: quality.band, bars: BARS[quality.band] },
    suggestsCameraOff:
      isVideo && call.cameraOn && call.missing.camera === undefined && (quality?.poorInARow ?? 0) >= POOR_FOR_LONG,
    sharesScreen: call.sharingScreen && !hasEnded,
    controls: hasEnded ? [] : controlsOf(call, surroundings, hold !== null),
    extras: isUp ? extrasOf(call, surroundings, hold !== null) : hasEnded ? aboutOf(call, surroundings) : [],
    rates: phase.name === 'ended' && phase.seconds > 0 && call.callId !== '',
    controlsMayHide: isVideo && phase.name === 'connected' && call.remoteCameraOn && hold === null,
  };
}

function phaseOf({ stage, role }: ActiveCall, now: number): CallPhase {
  switch (stage.name) {
    case 'outgoing':
    case 'connecting':
      return { name: stage.name };
    case 'connected':
      return { name: 'connected', seconds: wholeSeconds(now - stage.connectedAt) };
    case 'reconnecting':
      return {
        name: 'reconnecting',
        seconds: wholeSeconds(now - stage.connectedAt),
        secondsLeft: Math.max(0, Math.ceil((stage.givesUpAt - now) / 1000)),
      };
    case 'ended':
      return {
        name: 'ended',
        result: stage.result,
        byCaller: role === 'caller',
        seconds: wholeSeconds(stage.durationMs),
        errorCode: stage.errorCode,
      };
    default:
      return stage satisfies never;
  }
}

function controlsOf(call: ActiveCall, { isFullscreen }: CallSurroundings, onHold: boolean): readonly CallControl[] {
  const microphone = toggle('microphone', call.microphoneOn, call.missing.microphone, onHold);
  const end = { name: 'end' } as const;
  if (call.kind === 'voice') return [microphone, end];
  const hasNoCamera = !call.cameraOn || call.missing.camera !== undefined || call.sharingScreen;
  return [
    microphone,
    toggle('camera', call.cameraOn, call.missing.camera, onHold),
    { name: 'switchCamera', disabled: onHold || hasNoCamera || isBusy(call, 'switchCamera') },
    { name: 'fullscreen', on: isFullscreen, disabled: onHold },
    end,
  ];
}

/** Returns a control of a device. It is disabled when the device is unavailable or the call is on hold. */
function toggle(name: 'microphone' | 'camera', on: boolean, fault: DeviceFault | undefined, onHold: boolean) {
  return { name, on: on && fault === undefined, disabled: fault !== undefined || onHold };
}

function extrasOf(call: ActiveCall, surroundings: CallSurroundings, onHold: boolean): readonly CallExtra[] {
  const hold = { name: 'hold', on: call.hold.here, disabled: isBusy(call, 'hold') } as const;
  const about = aboutOf(call, surroundings);
  // A user who is unknown cannot be invited.
  const room = call.party.userId === '' ? [] : [{ name: 'room', on: false, disabled: onHold } as const];
  if (call.kind === 'voice') return [hold, ...room, ...about];
  const share = {
    name: 'screenShare',
    on: call.sharingScreen,
    disabled: onHold || isBusy(call, 'screenShare'),
  } as const;
  return [
    hold,
    ...(surroundings.canShareScreen ? [share] : []),
    { name: 'pictureInPicture', on: false, disabled: onHold },
    ...room,
    { name: 'capture', on: false, disabled: onHold || !call.remoteCameraOn || isBusy(call, 'capture') },
    ...about,
  ];
}

/** Returns the actions about the other user. Returns none when the user id is unknown. */
function aboutOf({ party }: ActiveCall, { canChat, canGive }: CallSurroundings): readonly CallExtra[] {
  if (party.userId === '') return [];
  const names = [...(canChat ? ['message' as const] : []), ...(canGive ? ['gift' as const] : []), 'report' as const];
  return names.map((name) => ({ name, on: false, disabled: false }));
}

function holdOf({ hold }: ActiveCall): CallViewModel['hold'] {
  if (hold.here && hold.there) return 'both';
  if (hold.here) return 'here';
  return hold.there ? 'there' : null;
}

function isBusy(call: ActiveCall, control: BusyControl): boolean {
  return call.busy.includes(control);
}

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}
