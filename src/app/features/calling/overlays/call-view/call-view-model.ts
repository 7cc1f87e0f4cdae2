import type {
  ActiveCall,
  BusyControl,
  CallKind,
  CallParty,
  CallResult,
  DeviceFault,
  MissingDevices,
  QualityBand,
} from '../../call-state.ts';

/** What the call view shows at one moment: no more state than the picture needs. */
export interface CallViewModel {
  readonly kind: CallKind;
  readonly name: string;
  readonly profileUrl: string;
  readonly phase: CallPhase;
  /** The other side's picture fills the stage; else their portrait does. */
  readonly showsRemoteVideo: boolean;
  /** The own picture: the whole stage until somebody is there, then a corner. */
  readonly selfView: 'stage' | 'corner' | 'none';
  readonly selfViewMirrored: boolean;
  /** The own picture is there to be seen: the camera is on, and there is one. */
  readonly showsSelf: boolean;
  readonly remoteMuted: boolean;
  /** What the other side does not get from here, and why; null where nothing is missing. */
  readonly missing: MissingDevices | null;
  /** Who keeps the call waiting; null while nobody does. */
  readonly hold: 'here' | 'there' | 'both' | null;
  /** How good the connection is; null while there is none to judge. */
  readonly quality: { readonly band: QualityBand; readonly bars: number } | null;
  /** The connection is poor, and would be better without the own picture. */
  readonly suggestsCameraOff: boolean;
  readonly sharesScreen: boolean;
  readonly controls: readonly CallControl[];
  /** What is behind the overflow button, or, when it is over, below its summary. */
  readonly extras: readonly CallExtra[];
  /** It was a call, and is over: one can say how it was. */
  readonly rates: boolean;
  /** Controls may fade only where they cover a moving picture. */
  readonly controlsMayHide: boolean;
}

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

/** In the order of app-shell §2. */
export type CallControl =
  | { readonly name: 'microphone' | 'camera'; readonly on: boolean; readonly disabled: boolean }
  | { readonly name: 'switchCamera'; readonly disabled: boolean }
  | { readonly name: 'fullscreen'; readonly on: boolean; readonly disabled: boolean }
  | { readonly name: 'end' };

export interface CallExtra {
  readonly name: 'hold' | 'screenShare' | 'pictureInPicture' | 'capture' | 'message' | 'gift' | 'report';
  readonly on: boolean;
  readonly disabled: boolean;
}

/** What of the page the picture depends on. */
export interface CallSurroundings {
  readonly now: number;
  readonly isFullscreen: boolean;
  /** The browser lets a page send its screen. */
  readonly canShareScreen: boolean;
  /** There is a screen to write to the other side. */
  readonly canChat: boolean;
  /** The user is one of those who give. */
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
/** One poor word may be a hiccup; two in a row, six seconds, are a state. */
const POOR_FOR_LONG = 2;

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

/** The nickname, or the user id when there is none (app-shell §2). */
export function displayName(party: CallParty): string {
  return party.nickname || party.userId;
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

/** A device that cannot be had cannot be turned on; a call on hold is resumed or ended, and nothing else. */
function toggle(name: 'microphone' | 'camera', on: boolean, fault: DeviceFault | undefined, onHold: boolean) {
  return { name, on: on && fault === undefined, disabled: fault !== undefined || onHold };
}

function extrasOf(call: ActiveCall, surroundings: CallSurroundings, onHold: boolean): readonly CallExtra[] {
  const hold = { name: 'hold', on: call.hold.here, disabled: isBusy(call, 'hold') } as const;
  const about = aboutOf(call, surroundings);
  if (call.kind === 'voice') return [hold, ...about];
  const share = {
    name: 'screenShare',
    on: call.sharingScreen,
    disabled: onHold || isBusy(call, 'screenShare'),
  } as const;
  return [
    hold,
    ...(surroundings.canShareScreen ? [share] : []),
    { name: 'pictureInPicture', on: false, disabled: onHold },
    { name: 'capture', on: false, disabled: onHold || !call.remoteCameraOn || isBusy(call, 'capture') },
    ...about,
  ];
}

/** What one does about the other side, whoever they are known to be. */
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
