import type { RecordingType } from '../../protocol/enumerations.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { RecorderPort } from '../platform/recorder.ts';
import { ErrorCode } from '../../protocol/errors.ts';

export interface RecordingFormat {
  readonly mimeType: string;
  readonly extension: 'mp4' | 'webm';
}

/**
 * Returns whether a browser uses WebKit: Safari, and every browser of an iPhone. Chromium names WebKit too, and also
 * itself.
 */
const isSafariType = (userAgent: string): boolean =>
  userAgent.includes('AppleWebKit') && !/Chrom(e|ium)\/|Android/.test(userAgent);

/**
 * Returns mp4 for a Safari-type browser that supports it, otherwise webm (§3). Null when the browser records neither.
 */
export function recordingFormat(
  kind: 'audio' | 'video',
  { recorder, userAgent }: { recorder: Pick<RecorderPort, 'isSupported'>; userAgent: string },
): RecordingFormat | null {
  const extensions = isSafariType(userAgent) ? (['mp4', 'webm'] as const) : (['webm'] as const);
  const formats = extensions.map((extension) => ({ mimeType: `${kind}/${extension}`, extension }));
  return formats.find(({ mimeType }) => recorder.isSupported(mimeType)) ?? null;
}

/**
 * Returns the error code of a missing format: `ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING` for an old operating system,
 * otherwise `ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING`. On an iPhone or iPad every browser has the engine of the system,
 * which records from iOS 14.3 on. No other system prevents recordings.
 */
export function noRecordingCode(userAgent: string): number {
  const [, major = 15, minor = 0] = /\(iP(?:hone|ad|od)\b.* OS (\d+)_(\d+)/.exec(userAgent) ?? [];
  return Number(major) + Number(minor) / 10 < 14.3
    ? ErrorCode.ERR_NOT_SUPPORTED_OS_VERSION_FOR_RECORDING
    : ErrorCode.ERR_NOT_SUPPORTED_BROWSER_FOR_RECORDING;
}

/**
 * Returns the given name, or one of recording type, call id and timestamp (§3). Only the last part of a path counts.
 * Characters that file systems refuse become `_`. The right extension is added to any other one. A name that is too
 * long is cut before the extension.
 */
export function recordingFileName(
  given: string | undefined,
  facts: { type: RecordingType; callId: string; timestamp: number; extension: string },
): string {
  const right = `.${facts.extension}`;
  const name = plainName(given ?? '') || plainName(`${facts.type}_${facts.callId}_${facts.timestamp}`);
  const at = name.toLowerCase().endsWith(right) ? -right.length : name.length;
  const [stem, ending] = [name.slice(0, at), name.slice(at) || right];
  const { read } = new TextEncoder().encodeInto(stem, new Uint8Array(LIMITS.fileNameBytes - ending.length));
  return stem.slice(0, read) + ending;
}

function plainName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  return last.replaceAll(/[\p{Cc}"*:<>?|]/gu, '_').replace(/^[\s.]+/, '');
}
