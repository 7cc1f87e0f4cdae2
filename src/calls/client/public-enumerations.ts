/** Enumerations a host may name instead of writing the words. */
import { invalidValue } from '../../protocol/errors.ts';
import { requireText } from './checks.ts';

/** The sounds of a call that a recording may replace. */
export const SoundType = Object.freeze({
  DIALING: 'DIALING',
  RINGING: 'RINGING',
  RECONNECTING: 'RECONNECTING',
  RECONNECTED: 'RECONNECTED',
});
export type SoundType = keyof typeof SoundType;

/** What a recording holds (§3). */
export const RecordingType = Object.freeze({
  REMOTE_AUDIO_AND_VIDEO: 'remote_audio_and_video',
  REMOTE_AUDIO_ONLY: 'remote_audio_only',
  LOCAL_REMOTE_AUDIOS: 'local_remote_audios',
  LOCAL_AUDIO_REMOTE_AUDIO_AND_VIDEO: 'local_audio_remote_audio_and_video',
  LOCAL_AUDIO_AND_VIDEO_REMOTE_AUDIO: 'local_audio_and_video_remote_audio',
});
export type RecordingType = (typeof RecordingType)[keyof typeof RecordingType];

/** Whether a side records the call. */
export const RecordingStatus = Object.freeze({ NONE: 'none', RECORDING: 'recording' });
export type RecordingStatus = (typeof RecordingStatus)[keyof typeof RecordingStatus];

/** How good a connection is, by the mean opinion score of its audio (§3). */
export const ConnectionQualityState = Object.freeze({
  /** Without a score. */
  UNAVAILABLE: 'unavailable',
  /** Under 2. */
  POOR: 'poor',
  /** Under 3. */
  FAIR: 'fair',
  /** Under 3.6. */
  AVERAGE: 'average',
  /** Under 4.2. */
  GOOD: 'good',
  EXCELLENT: 'excellent',
});
export type ConnectionQualityState = (typeof ConnectionQualityState)[keyof typeof ConnectionQualityState];

/** When a host is told how good a call's connection is (§4). */
export const ConnectionQualityMonitoringMode = Object.freeze({
  /** Every 3 seconds. */
  FREQUENCY: 'frequency',
  CONNECTION_QUALITY_CHANGE: 'connection-quality-change',
});
export type ConnectionQualityMonitoringMode =
  (typeof ConnectionQualityMonitoringMode)[keyof typeof ConnectionQualityMonitoringMode];

/** The push services a token may be for (§3). */
export const TokenType = Object.freeze({ APNS_VOIP: 'apns_voip', FCM_VOIP: 'fcm_voip' });
export type TokenType = (typeof TokenType)[keyof typeof TokenType];

/** @throws CallError 1800300 or 1800301 naming `tokenType`. */
export function requireTokenType(value: unknown): TokenType {
  const name = requireText(value, 'tokenType');
  const known = Object.values(TokenType).find((type) => type === name);
  if (!known) throw invalidValue('tokenType');
  return known;
}

/** What a host may have printed; VERBOSE and DEBUG are not for hosts (§3). */
export const LoggerLevel = Object.freeze({ INFO: 'INFO', WARNING: 'WARNING', ERROR: 'ERROR', NONE: 'NONE' });
export type LoggerLevel = keyof typeof LoggerLevel;
