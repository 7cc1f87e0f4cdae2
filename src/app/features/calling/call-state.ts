import { END_RESULTS, type EndResult } from '../../../protocol/enumerations.ts';

export type CallKind = 'voice' | 'video';

/** The other user of a call. Fields may still be unknown. */
export interface CallParty {
  readonly userId: string;
  readonly nickname: string;
  readonly profileUrl: string;
}

/** A call that rings on this device. */
export interface IncomingCall {
  readonly callId: string;
  readonly kind: CallKind;
  readonly party: CallParty;
}

/** The result of a call, with the values of the wire. */
export type CallResult = EndResult;

/** The stage of a call, from dialling to its end. */
export type CallStage =
  /** Dialled and not yet accepted. */
  | { readonly name: 'outgoing' }
  /** Accepted, without media yet. */
  | { readonly name: 'connecting' }
  | { readonly name: 'connected'; readonly connectedAt: number }
  | { readonly name: 'reconnecting'; readonly connectedAt: number; readonly givesUpAt: number }
  | {
      readonly name: 'ended';
      readonly result: CallResult;
      readonly durationMs: number;
      /** The number of the error. The app shows it only in the details, for a support request. */
      readonly errorCode: number | null;
    };

/** The reason why a microphone or camera is unavailable. Each reason has its own remedy. */
export type DeviceFault = 'denied' | 'absent' | 'busy' | 'broken';

/** The devices of this client that are unavailable. The other user receives silence or a black picture instead. */
export interface MissingDevices {
  readonly microphone?: DeviceFault;
  readonly camera?: DeviceFault;
}

export type CameraFacing = 'user' | 'environment';

/** The sides that hold the call. The call is on hold while one of them is true. */
export interface CallHold {
  readonly here: boolean;
  readonly there: boolean;
}

export type QualityBand = 'unavailable' | 'poor' | 'fair' | 'average' | 'good' | 'excellent';

/** The last measured quality of the connection. An unknown value is null. */
export interface CallQuality {
  readonly band: QualityBand;
  /** Mean opinion score of the sound, 1 to 4.5. */
  readonly mos: number | null;
  /** Lost packets as a share of the expected packets, 0 to 1. */
  readonly lossRate: number | null;
  readonly roundTripMs: number | null;
  readonly jitterMs: number | null;
  /** The number of successive measurements with a poor connection. */
  readonly poorInARow: number;
  /** The last scores, oldest first. Null for a measurement without a score. */
  readonly history: readonly (number | null)[];
}

/** An action in progress. Another press during it has no effect. */
export type BusyControl = 'switchCamera' | 'hold' | 'screenShare' | 'capture' | 'devices';

/** A call that is dialled or answered here, or that has ended and shows its summary. */
export interface ActiveCall {
  /** The id of this call within the page, set when the call begins. The exchange's id is known later. */
  readonly key: string;
  /** The exchange's id. Empty until it is known. */
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
  /** Null before the first measurement. */
  readonly quality: CallQuality | null;
  readonly remoteMicrophoneOn: boolean;
  readonly remoteCameraOn: boolean;
}

/** Every call of the page. */
export interface CallsState {
  /** The calls that ring on this device, in the order in which they began to ring. */
  readonly incoming: readonly IncomingCall[];
  /** The call in front, or the summary of the last call until the user dismisses it. */
  readonly active: ActiveCall | null;
  /** The other calls, which are on hold. */
  readonly held: readonly ActiveCall[];
  /** The last call that rang here without an answer. Null after the user dismisses it or calls back. */
  readonly missed: IncomingCall | null;
}

export const NO_CALLS: CallsState = { incoming: [], active: null, held: [], missed: null };

/** Returns true for a call that has not ended, and false for the summary of an ended call. */
export function isLive(call: ActiveCall | null): call is ActiveCall {
  return call !== null && call.stage.name !== 'ended';
}

/** Converts the library's name of a result, in upper or lower case. */
export function toCallResult(endResult: string | undefined): CallResult {
  const name = endResult?.toLowerCase();
  return END_RESULTS.find((result) => result === name) ?? 'unknown';
}

/** Returns the nickname, or the user id without a nickname (app-shell §2). */
export function displayName(party: CallParty): string {
  return party.nickname || party.userId;
}

/** Returns true while a call rings or is live. The page must not reload then. */
export function isCallUp({ incoming, active }: CallsState): boolean {
  return incoming.length > 0 || isLive(active);
}
