/** The closed lists of §3, as on the wire, with lookups that read an unknown value as a known one. */
import * as v from 'valibot';
import { END_RESULTS, type EndResult } from './end-results.ts';

export { END_RESULTS, type EndResult };

/** How a call ended. An unknown value reads as `unknown` (§3). */
export const endResult = v.pipe(
  v.string(),
  v.transform((value): EndResult => END_RESULTS.find((known) => known === value) ?? 'unknown'),
);

/** The role of a user in a call, as on the wire. */
export type DirectCallRole = 'dc_caller' | 'dc_callee';
export const directCallRole = v.picklist(['dc_caller', 'dc_callee'] satisfies DirectCallRole[]);

/** The reason why a call is given up before it connected (§4). */
export const timeoutReason = v.picklist(['accepting_timeout', 'offering_timeout', 'answering_timeout']);
export type TimeoutReason = v.InferOutput<typeof timeoutReason>;

/** Command groups (§3). */
export const commandGroup = v.picklist(['CALL', 'SGNL', 'COMM', 'UTIL']);
export type CommandGroup = v.InferOutput<typeof commandGroup>;

export const LOG_LEVELS = ['VERBOSE', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'NONE'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const logLevel = v.picklist(LOG_LEVELS);

export const recordingType = v.picklist([
  'remote_audio_and_video',
  'remote_audio_only',
  'local_remote_audios',
  'local_audio_remote_audio_and_video',
  'local_audio_and_video_remote_audio',
]);
export type RecordingType = v.InferOutput<typeof recordingType>;

export const recordingStatus = v.picklist(['none', 'recording']);
export type RecordingStatus = v.InferOutput<typeof recordingStatus>;

export const pushTokenType = v.picklist(['apns_voip', 'fcm_voip']);
export type PushTokenType = v.InferOutput<typeof pushTokenType>;

/** The only capability (§7): the leg understands turn_changed. */
export const TURN_CHANGED = 'turn_changed';
