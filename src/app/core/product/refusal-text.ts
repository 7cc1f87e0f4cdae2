import { REFUSALS, type RefusalBody, type RefusalCode } from '../../../protocol/product/refusals.ts';
import { formatNumber } from '../i18n/format.ts';
import { m } from '../i18n/generated/messages.js';
import { ProductError } from './product-error.ts';

const WORDS: Readonly<Record<RefusalCode, (refusal: RefusalBody) => string>> = {
  invalid: () => m.refusal_invalid(),
  signed_out: () => m.refusal_signed_out(),
  wrong_credentials: () => m.refusal_wrong_credentials(),
  not_yours: () => m.refusal_not_yours(),
  blocked: () => m.refusal_blocked(),
  not_found: () => m.refusal_not_found(),
  wrong_method: () => m.refusal_malformed(),
  taken: ({ field }) => (field === 'nickname' ? m.refusal_taken_nickname() : m.refusal_taken_contact()),
  too_young: () => m.refusal_too_young(),
  weak_password: () => m.refusal_weak_password(),
  code_wrong: () => m.refusal_code_wrong(),
  code_expired: () => m.refusal_code_expired(),
  code_spent: () => m.refusal_code_spent(),
  locked: ({ retry_after }) => m.refusal_locked({ wait: waitText(retry_after) }),
  suspended: () => m.refusal_suspended(),
  undeliverable: () => m.refusal_undeliverable(),
  incomplete: () => m.refusal_incomplete(),
  cooling_off: ({ retry_after }) => m.refusal_cooling_off({ wait: waitText(retry_after) }),
  wrong_state: () => m.refusal_wrong_state(),
  no_tries_left: ({ retry_after }) => m.refusal_no_tries_left({ wait: waitText(retry_after) }),
  insufficient_coins: () => m.refusal_insufficient_coins(),
  insufficient_points: () => m.refusal_insufficient_points(),
  key_reused: () => m.refusal_malformed(),
  limit_reached: () => m.refusal_limit_reached(),
  wrong_file: () => m.refusal_wrong_file(),
  too_large: () => m.refusal_too_large(),
  too_many: ({ retry_after }) => m.refusal_too_many({ wait: waitText(retry_after) }),
  busy: ({ retry_after }) => m.refusal_busy({ wait: waitText(retry_after) }),
  failed: () => m.refusal_failed(),
};

/** Returns one sentence without codes that explains a failed request to the user. Accepts any thrown value. */
export function refusalText(error: unknown): string {
  if (!(error instanceof ProductError)) return m.refusal_failed();
  switch (error.kind) {
    case 'unreachable':
      return m.refusal_unreachable();
    case 'malformed':
      return m.refusal_malformed();
    case 'refused':
      return refusedText(error);
    default:
      return error.kind satisfies never;
  }
}

/** Returns the code of a refusal. Null when the contract does not define the code. */
export function refusalCode(error: unknown): RefusalCode | null {
  const code = error instanceof ProductError ? error.refusal?.code : undefined;
  return code !== undefined && isCode(code) ? code : null;
}

function refusedText(error: ProductError): string {
  const code = refusalCode(error);
  if (code === null || error.refusal === undefined) return m.refusal_failed();
  return WORDS[code](error.refusal);
}

const isCode = (code: string): code is RefusalCode => Object.hasOwn(REFUSALS, code);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns a wait, given in seconds, in the largest unit that fits. It is rounded up, so that the user does not retry
 * too early.
 */
export function waitText(seconds: number | undefined): string {
  const wait = Math.max(1, Math.ceil(seconds ?? MINUTE));
  if (wait < 2 * MINUTE) return m.wait_seconds({ count: formatNumber(wait) });
  if (wait < 2 * HOUR) return m.wait_minutes({ count: formatNumber(Math.ceil(wait / MINUTE)) });
  if (wait < 2 * DAY) return m.wait_hours({ count: formatNumber(Math.ceil(wait / HOUR)) });
  return m.wait_days({ count: formatNumber(Math.ceil(wait / DAY)) });
}
