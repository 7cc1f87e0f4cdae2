/** A contact of a user: an e-mail or a phone. */

export type ContactKind = 'email' | 'phone';

export interface Contact {
  readonly kind: ContactKind;
  /** The stored form, which is also compared: an e-mail in lower case, a phone in E.164. */
  readonly value: string;
}

/** The longest address of an e-mail (RFC 5321 §4.5.3.1.3, without its brackets). */
const EMAIL_CHARS = 254;
const EMAIL = /^[^\s@"<>()[\],;:\\]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const TAIWAN_MOBILE = /^(?:\+?886|0)0?(9\d{8})$/;
/** A country code and a number: 8 to 15 digits (E.164). */
const INTERNATIONAL = /^\+[1-9]\d{7,14}$/;

/**
 * Reads a contact as a user types it. A number without a country code is one of Taiwan: 0912-345-678 is +886912345678.
 *
 * @returns null for a text that is neither an e-mail nor a phone.
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

/** Masks a contact, so that only its owner recognises it: `m***@example.com`, `+8869*****678`. */
export function maskContact({ kind, value }: Contact): string {
  if (kind === 'email') return value.replace(/^(.).*@/u, '$1***@');
  return `${value.slice(0, 5)}${'*'.repeat(value.length - 8)}${value.slice(-3)}`;
}
