import { END_RESULTS, type EndResult } from '../../../protocol/enumerations.ts';

export type CallKind = 'voice' | 'video';

/** The other side of a call, as far as it is known. */
export interface CallParty {
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
}

export interface IncomingCall {
  readonly callId: string;
  readonly kind: CallKind;
  readonly party: CallParty;
}

/** How a call went; the values are those of the wire. */
export type CallResult = EndResult;

export type CallStage =
  /** Dialling: the other side's phone is, or will be, ringing. */
  | { readonly name: 'outgoing' }
  /** Accepted; no media yet. */
  | { readonly name: 'connecting' }
  | { readonly name: 'connected'; readonly connectedAt: number }
  | { readonly name: 'reconnecting'; readonly connectedAt: number; readonly givesUpAt: number }
  | {
      readonly name: 'ended';
      readonly result: CallResult;
      readonly durationMs: number;
      /** The number of the failure, for whoever has to find out; never shown unasked. */
      readonly errorCode: number | null;
    };

/** Why a microphone or camera cannot be had, as far as it makes a difference to what one can do about it. */
export type DeviceFault = 'denied' | 'absent' | 'busy' | 'broken';

/** This side's devices that cannot be had: the other side gets silence, or a black picture. */
export interface MissingDevices {
  readonly microphone?: DeviceFault;
  readonly camera?: DeviceFault;
}

export type CameraFacing = 'user' | 'environment';

/** Who keeps the call waiting; it is on hold while anyone does. */
export interface CallHold {
  readonly here: boolean;
  readonly there: boolean;
}

export type QualityBand = 'unavailable' | 'poor' | 'fair' | 'average' | 'good' | 'excellent';

/** How good the connection is, as it was told last; what is not known is null. */
export interface CallQuality {
  readonly band: QualityBand;
  /** Mean opinion score of the sound, 1 to 4.5. */
  readonly mos: number | null;
  /** Lost packets as a share of those that should have come, 0 to 1. */
  readonly lossRate: number | null;
  readonly roundTripMs: number | null;
  readonly jitterMs: number | null;
  /** How often in a row it was told to be poor. */
  readonly poorInARow: number;
  /** The last scores, the oldest first; null where there was none. */
  readonly history: readonly (number | null)[];
}

/** What takes its time; a second press meanwhile does nothing. */
export type BusyControl = 'switchCamera' | 'hold' | 'screenShare' | 'capture' | 'devices';

export interface ActiveCall {
  /** Names this call within the page, from the first moment; the exchange's id comes later. */
  readonly key: string;
  /** The exchange's id; empty until it is known. */
  readonly callId: string;
  readonly role: 'caller' | 'callee';
  readonly kind: CallKind;
  readonly party: CallParty;
  readonly stage: CallStage;
  readonly microphoneOn: boolean;
  readonly cameraOn: boolean;
  readonly missing: MissingDevices;
  readonly facing: CameraFacing;
  readonly busy: readonly BusyControl[];
  readonly hold: CallHold;
  readonly sharingScreen: boolean;
  /** Null until it was told once. */
  readonly quality: CallQuality | null;
  readonly remoteMicrophoneOn: boolean;
  readonly remoteCameraOn: boolean;
}

export interface CallsState {
  /** Ringing here, the first to ring first. */
  readonly incoming: readonly IncomingCall[];
  /** The call in front, or how the last one went until that is put away. */
  readonly active: ActiveCall | null;
  /** Calls that wait behind it, on hold. */
  readonly held: readonly ActiveCall[];
  /** The last call that rang here and was not answered, until it is dismissed or answered by calling back. */
  readonly missed: IncomingCall | null;
}

export const NO_CALLS: CallsState = { incoming: [], active: null, held: [], missed: null };

/** Somebody is, or may soon be, on the line: not the summary of a call that is over. */
export function isLive(call: ActiveCall | null): call is ActiveCall {
  return call !== null && call.stage.name !== 'ended';
}

/** The library's name of a result, in whichever case it comes. */
export function toCallResult(endResult: string | undefined): CallResult {
  const name = endResult?.toLowerCase();
  return END_RESULTS.find((result) => result === name) ?? 'unknown';
}
