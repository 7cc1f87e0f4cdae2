import { maskValue } from '../../../common/mask.ts';
import type { KeptLine } from './kept-log.ts';

const EMAIL = /[^\s@"'<>]+@[^\s@"'<>]+\.[^\s@"'<>]+/g;
const PHONE = /\+\d{8,15}\b/g;

/** Returns the log as text, one entry a line, without secrets, addresses, e-mail addresses and phone numbers. */
export function logText(lines: readonly KeptLine[]): string {
  return lines
    .map(({ at, level, message, detail }) => {
      const masked = maskValue(detail === undefined ? message : `${message} ${JSON.stringify(maskValue(detail))}`);
      return `${new Date(at).toISOString()} ${level} ${String(masked)}`
        .replaceAll(EMAIL, '***')
        .replaceAll(PHONE, '***');
    })
    .join('\n');
}
