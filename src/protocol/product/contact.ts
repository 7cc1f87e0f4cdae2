/** The address somebody is reached at: an e-mail or a phone. */

export type ContactKind = 'email' | 'phone';

export interface Contact {
  readonly kind: ContactKind;
  /** As it is kept and compared: an e-mail in small letters, a phone as E.164 writes it. */
  readonly value: string;
}

/** The longest address of an e-mail (RFC 5321 §4.5.3.1.3, without its brackets). */
const EMAIL_CHARS = 254;
const EMAIL = /^[^\s@"<>()[\],;:\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const TAIWAN_MOBILE = /^(?:\+?886|0)0?(9\d{8})$/;
/** A country code and a number: 8 to 15 digits (E.164). */
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/**
 * Reads what somebody has typed. A number without a country code is one of Taiwan: 0912-345-678 is +886912345678.
 *
 * @returns null for what is neither an e-mail nor a phone.
 */
export function readContact(typed: string): Contact | null {
  const text = typed.normalize('NFKC').trim();
  const email = text.toLowerCase();
  if (email.length <= EMAIL_CHARS && EMAIL.test(email)) return { kind: 'email', value: email };
  const digits = text.replaceAll(/[\s\-().]/g, '');
  const taiwan = TAIWAN_MOBILE.exec(digits);
  if (taiwan) return { kind: 'phone', value: `+886${taiwan[1]}` };
  return INTERNATIONAL.test(digits) ? { kind: 'phone', value: digits } : null;
}

/** Enough to know one's own by, too little to reach it: `m***@example.com`, `+8869*****678`. */
export function maskContact({ kind, value }: Contact): string {
  if (kind === 'email') return value.replace(/^(.).*@/u, '$1***@');
  return `${value.slice(0, 5)}${'*'.repeat(value.length - 8)}${value.slice(-3)}`;
}
