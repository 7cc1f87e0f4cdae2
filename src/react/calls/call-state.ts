import type { LibraryUser, MissingDevices, QualityBand } from '../library/library-values.ts';

/** The kind of a call: with sound alone, or with pictures. */
export type CallKind = 'voice' | 'video';

/** The other user of a call. An unknown field is empty. */
export type CallParty = LibraryUser;

/** A call that rings on this device. */
export interface IncomingCall {
  /** The id of the call. */
  readonly callId: string;
  /** The kind of the call. */
  readonly kind: CallKind;
  /** The caller. */
  readonly party: CallParty;
}

/** The results of calls. `unknown` is one that this version does not know. */
export const CALL_RESULTS = [
  'no_answer',
  'canceled',
  'declined',
  'other_device_accepted',
  'completed',
  'connection_lost',
  'timed_out',
  'dial_failed',
  'accept_failed',
  'not_connected',
  'unknown',
] as const;

/** The result of a call. */
export type CallResult = (typeof CALL_RESULTS)[number];

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
      /** The number of the error when the dial was refused. Null without one. */
      readonly errorCode: number | null;
    };

/** A camera of a phone: the front one, which shows the user, or the rear one. */
export type CameraFacing = 'user' | 'environment';

/** The sides that hold the call. The call is on hold while one of them is true. */
export interface CallHold {
  /** True while this user holds the call. */
  readonly here: boolean;
  /** True while the other user holds the call. */
  readonly there: boolean;
}

/** The last measured quality of the connection. An unknown value is null. */
export interface CallQuality {
  /** The quality as one word. */
  readonly band: QualityBand;
  /** Mean opinion score of the sound, 1 to 4.5. */
  readonly mos: number | null;
  /** Lost packets as a share of the expected packets, 0 to 1. */
  readonly lossRate: number | null;
  /** The time to the other client and back. Milliseconds. */
  readonly roundTripMs: number | null;
  /** The variation of the time between packets. Milliseconds. */
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
  /** Whether this user dialled or answered. */
  readonly role: 'caller' | 'callee';
  /** The kind of the call. */
  readonly kind: CallKind;
  /** The other user. */
  readonly party: CallParty;
  /** The stage of the call. */
  readonly stage: CallStage;
  /** True while the microphone of this user is sent. */
  readonly microphoneOn: boolean;
  /** True while the camera of this user is sent. */
  readonly cameraOn: boolean;
  /** The devices of this client that are unavailable. */
  readonly missing: MissingDevices;
  /** The camera in use. */
  readonly facing: CameraFacing;
  /** The actions in progress. */
  readonly busy: readonly BusyControl[];
  /** The users that hold the call. */
  readonly hold: CallHold;
  /** True while this client shares the screen. */
  readonly sharingScreen: boolean;
  /** Null before the first measurement. */
  readonly quality: CallQuality | null;
  /** True while the other user sends the microphone. */
  readonly remoteMicrophoneOn: boolean;
  /** True while the other user sends video. */
  readonly remoteCameraOn: boolean;
}

/** A call that has not ended. */
export type LiveCall = ActiveCall & { readonly stage: Exclude<CallStage, { readonly name: 'ended' }> };

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
export function isLive(call: ActiveCall | null): call is LiveCall {
  return call !== null && call.stage.name !== 'ended';
}

/** Converts the library's name of a result, in upper or lower case. */
export function toCallResult(endResult: string | undefined): CallResult {
  const name = endResult?.toLowerCase();
  return CALL_RESULTS.find((result) => result === name) ?? 'unknown';
}
