import type {
  ActiveCall,
  CallKind,
  CallParty,
  CallResult,
  DeviceFault,
  MissingDevices,
} from '../../calling/call-state.ts';

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
  readonly controls: readonly CallControl[];
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
  | { readonly name: 'microphone'; readonly on: boolean; readonly missing: boolean }
  | { readonly name: 'camera'; readonly on: boolean; readonly missing: boolean }
  | { readonly name: 'switchCamera'; readonly busy: boolean }
  | { readonly name: 'fullscreen'; readonly on: boolean }
  | { readonly name: 'end' };

export function callViewModel(call: ActiveCall, now: number, isFullscreen: boolean): CallViewModel {
  const phase = phaseOf(call, now);
  const hasEnded = phase.name === 'ended';
  const isUp = phase.name === 'connected' || phase.name === 'reconnecting';
  const isVideo = call.kind === 'video';
  return {
    kind: call.kind,
    name: displayName(call.party),
    profileUrl: call.party.profileUrl,
    phase,
    showsRemoteVideo: isVideo && isUp && call.remoteCameraOn,
    selfView: !isVideo || hasEnded ? 'none' : isUp ? 'corner' : 'stage',
    selfViewMirrored: call.facing === 'user',
    showsSelf: call.cameraOn && call.missing.camera === undefined,
    remoteMuted: isUp && !call.remoteMicrophoneOn,
    missing: hasEnded || Object.keys(call.missing).length === 0 ? null : call.missing,
    controls: hasEnded ? [] : controlsOf(call, isFullscreen),
    controlsMayHide: isVideo && phase.name === 'connected' && call.remoteCameraOn,
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

function controlsOf(call: ActiveCall, isFullscreen: boolean): readonly CallControl[] {
  const microphone = toggle('microphone', call.microphoneOn, call.missing.microphone);
  const end = { name: 'end' } as const;
  if (call.kind === 'voice') return [microphone, end];
  return [
    microphone,
    toggle('camera', call.cameraOn, call.missing.camera),
    { name: 'switchCamera', busy: call.switchingCamera || !call.cameraOn || call.missing.camera !== undefined },
    { name: 'fullscreen', on: isFullscreen },
    end,
  ];
}

/** A device that cannot be had cannot be turned on. */
function toggle<Name extends 'microphone' | 'camera'>(name: Name, on: boolean, fault: DeviceFault | undefined) {
  return { name, on: on && fault === undefined, missing: fault !== undefined };
}

function wholeSeconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}
