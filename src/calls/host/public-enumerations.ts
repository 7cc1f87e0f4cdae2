/** Enumerations that a host may use instead of the texts. */
import { invalidValue } from '../../protocol/errors.ts';
import { requireText } from './checks.ts';

/** The sounds of a call. */
export const SoundType = Object.freeze({
  DIALING: 'DIALING',
  RINGING: 'RINGING',
  RECONNECTING: 'RECONNECTING',
  RECONNECTED: 'RECONNECTED',
});
export type SoundType = keyof typeof SoundType;

/** The tracks that a recording holds (§3, recording options). */
export const RecordingType = Object.freeze({
  REMOTE_AUDIO_AND_VIDEO: 'remote_audio_and_video',
  REMOTE_AUDIO_ONLY: 'remote_audio_only',
  LOCAL_REMOTE_AUDIOS: 'local_remote_audios',
  LOCAL_AUDIO_REMOTE_AUDIO_AND_VIDEO: 'local_audio_remote_audio_and_video',
  LOCAL_AUDIO_AND_VIDEO_REMOTE_AUDIO: 'local_audio_and_video_remote_audio',
});
export type RecordingType = (typeof RecordingType)[keyof typeof RecordingType];

/** The state of a recording by one user. */
export const RecordingStatus = Object.freeze({ NONE: 'none', RECORDING: 'recording' });
export type RecordingStatus = (typeof RecordingStatus)[keyof typeof RecordingStatus];

/** The quality of a connection, by the mean opinion score of its audio (§3). */
export const ConnectionQualityState = Object.freeze({
  /** No score. */
  UNAVAILABLE: 'unavailable',
  /** A score below 2. */
  POOR: 'poor',
  /** A score below 3. */
  FAIR: 'fair',
  /** A score below 3.6. */
  AVERAGE: 'average',
  /** A score below 4.2. */
  GOOD: 'good',
  /** A score of 4.2 or more. */
  EXCELLENT: 'excellent',
});
export type ConnectionQualityState = (typeof ConnectionQualityState)[keyof typeof ConnectionQualityState];

/** The moments at which a connection quality listener runs (§4). */
export const ConnectionQualityMonitoringMode = Object.freeze({
  /** Every 3 seconds. */
  FREQUENCY: 'frequency',
  /** When the quality state changes. */
  CONNECTION_QUALITY_CHANGE: 'connection-quality-change',
});
export type ConnectionQualityMonitoringMode =
  (typeof ConnectionQualityMonitoringMode)[keyof typeof ConnectionQualityMonitoringMode];

/** The push services of a push token (§3). */
export const TokenType = Object.freeze({ APNS_VOIP: 'apns_voip', FCM_VOIP: 'fcm_voip' });
export type TokenType = (typeof TokenType)[keyof typeof TokenType];

/**
 * Checks the type of a push token.
 * @throws CallError `INVALID_PARAMETER_VALUE` or `INVALID_PARAMETER_TYPE` for `tokenType`.
 */
export function requireTokenType(value: unknown): TokenType {
  const name = requireText(value, 'tokenType');
  const known = Object.values(TokenType).find((type) => type === name);
  if (!known) throw invalidValue('tokenType');
  return known;
}

/** The levels of the console log for hosts (§3). VERBOSE and DEBUG are internal. */
export const LoggerLevel = Object.freeze({ INFO: 'INFO', WARNING: 'WARNING', ERROR: 'ERROR', NONE: 'NONE' });
export type LoggerLevel = keyof typeof LoggerLevel;
