import * as v from 'valibot';
import { type PushPayload, pushPayload } from '../../../protocol/product/push.ts';
import type { Locale } from '../../core/i18n/locale.ts';
import { m } from '../../core/i18n/generated/messages.js';

/** The icon when the payload has no picture, or one that must not be loaded (app-shell §9). */
export const DEFAULT_ICON = '/icons/notification.png';

/** A notification in the form that the browser shows. */
export interface PushNotification {
  readonly title: string;
  readonly options: {
    readonly icon: string;
    readonly lang: string;
    readonly requireInteraction: true;
    /** The path that a press opens. */
    readonly data: string;
  };
}

/** Parses the text of a push message. Returns `null` when it is invalid. */
export function readPushPayload(text: string): PushPayload | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  const result = v.safeParse(pushPayload, body);
  return result.success ? result.output : null;
}

/**
 * Returns the notification of a payload. An invalid payload has a general text, since a push service requires a
 * notification for each message. An address in the payload is never opened.
 */
export function pushNotification(payload: PushPayload | null, origin: string, locale: Locale): PushNotification {
  return {
    title: payload === null ? m.push_unreadable({}, { locale }) : titleOf(payload, locale),
    options: {
      icon: iconOf(payload?.icon ?? '', origin),
      lang: locale,
      requireInteraction: true,
      data: pathOf(payload?.room),
    },
  };
}

function titleOf(payload: PushPayload, locale: Locale): string {
  const name = plainText(payload.name) || m.push_somebody({}, { locale });
  switch (payload.type) {
    case 'CHAT':
      return m.push_chat({ name }, { locale });
    case 'CALL':
      return m.push_call({ name }, { locale });
    case 'ONLINE':
      return m.push_online({ name }, { locale });
    case 'ROOM':
      return m.push_room({ name }, { locale });
    case 'GIFT':
      return m.push_gift({ name, gift_name: plainText(payload.gift_name), coin: plainText(payload.coin) }, { locale });
    default:
      return m.push_video_call({ name }, { locale });
  }
}

/** The form of the ids of rooms. Others are not opened. */
const ROOM_ID = /^[\w-]{1,128}$/;
const ROOM_PATH = /^\/rooms\/[\w-]{1,128}$/;

/** Returns the path of the room of an invitation, else that of the home page. */
const pathOf = (room: string | undefined): string => (ROOM_ID.test(room ?? '') ? `/rooms/${room}` : '/');

/** Returns the path that a press of a notification opens. A notification of an earlier version has none. */
export function notificationPath(data: unknown): string {
  return typeof data === 'string' && ROOM_PATH.test(data) ? data : '/';
}

/**
 * Returns the address of the icon: one of this origin, or an absolute http(s) address. Rejects forms such as
 * `//elsewhere`.
 */
function iconOf(icon: string, origin: string): string {
  if (icon === '' || !URL.canParse(icon, origin)) return DEFAULT_ICON;
  const url = new URL(icon, origin);
  const isOurs = url.origin === origin && url.protocol !== 'blob:';
  return isOurs || /^https?:\/\//i.test(icon) ? url.href : DEFAULT_ICON;
}

/** The maximum number of letters: longer than any nickname or gift, shorter than the text of a notification. */
const MOST_LETTERS = 64;

/** Matches control characters, and characters that reverse the direction of the following text. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Returns the text of another user as one line of plain text, shortened to the maximum. */
function plainText(words: string): string {
  // A letter may consist of several characters, but never of this many.
  const line = words
    .slice(0, MOST_LETTERS * 32)
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const letters = Array.from(new Intl.Segmenter().segment(line), ({ segment }) => segment);
  return letters.length <= MOST_LETTERS ? line : `${letters.slice(0, MOST_LETTERS - 1).join('')}…`;
}
