import { PUSH_LIMITS, type PushPayload } from '../../src/protocol/product/push.ts';

/** The bytes that encryption adds: a header of 86, a delimiter and a tag (RFC 8188 §2, RFC 8291 §4). */
const ADDED_BYTES = 86 + 1 + 16;
const MOST_BYTES = PUSH_LIMITS.messageBytes - ADDED_BYTES;

/** The most characters of a text. Devices show far fewer. */
const LONGEST_WORDS = 100;

/**
 * Writes the message of a payload. One that is too large for a push service loses its picture, and then the ends of its
 * texts.
 */
export function pushMessage(payload: PushPayload): string {
  const cut = (words: string) => Array.from(words).slice(0, LONGEST_WORDS).join('');
  const { type, name, gift_name, coin } = payload;
  const short = { type: cut(type), name: cut(name), gift_name: cut(gift_name), coin: cut(coin), icon: '' };
  for (const tried of [payload, { ...payload, icon: '' }]) {
    const message = JSON.stringify(tried);
    if (Buffer.byteLength(message) <= MOST_BYTES) return message;
  }
  return JSON.stringify(short);
}
