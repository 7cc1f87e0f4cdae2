import { END_RESULTS, type EndResult } from '../../protocol/enumerations.ts';

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

export interface ActiveCall {
  readonly role: 'caller' | 'callee';
  readonly kind: CallKind;
  readonly party: CallParty;
  readonly stage: CallStage;
  readonly microphoneOn: boolean;
  readonly cameraOn: boolean;
  readonly missing: MissingDevices;
  readonly facing: CameraFacing;
  readonly switchingCamera: boolean;
  readonly remoteMicrophoneOn: boolean;
  readonly remoteCameraOn: boolean;
}

export interface CallsState {
  /** Ringing here, the first to ring first. */
  readonly incoming: readonly IncomingCall[];
  readonly active: ActiveCall | null;
  /** The last call that rang here and was not answered, until it is dismissed or answered by calling back. */
  readonly missed: IncomingCall | null;
}

export const NO_CALLS: CallsState = { incoming: [], active: null, missed: null };

/** The library's name of a result, in whichever case it comes. */
export function toCallResult(endResult: string | undefined): CallResult {
  const name = endResult?.toLowerCase();
  return END_RESULTS.find((result) => result === name) ?? 'unknown';
}
