import type { Message } from '../../../../protocol/product/chat.ts';
import { formatDuration, formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';

/** Returns a message as one line. */
export function messageSummary(message: Message, uId: string | null): string {
  const isMine = message.from === uId;
  switch (message.type) {
    case 'text':
      return isMine ? m.chat_summary_mine({ text: message.data.text }) : message.data.text;
    case 'photo':
      return m.chat_summary_photo();
    case 'voice':
      return m.chat_summary_voice({ duration: durationText(message.data.duration_ms) });
    case 'gift':
      return m.chat_gift({ name: message.data.name, quantity: formatNumber(message.data.quantity) });
    case 'call':
      return callText(message.data, isMine);
    case 'system':
      return systemText(message.data.code);
    default:
      return message satisfies never;
  }
}

type Call = Extract<Message, { type: 'call' }>['data'];

/**
 * Returns the result of a call as text.
 * @param isMine - true when the user of this page made the call.
 */
export function callText({ end_result, duration_ms }: Call, isMine: boolean): string {
  switch (end_result) {
    case 'completed':
    case 'connection_lost':
      return m.chat_call_completed({ duration: durationText(duration_ms) });
    case 'declined':
      return isMine ? m.chat_call_declined() : m.chat_call_declined_by_me();
    case 'no_answer':
      return isMine ? m.chat_call_no_answer() : m.chat_call_missed();
    case 'canceled':
      return isMine ? m.chat_call_canceled() : m.chat_call_missed();
    default:
      return m.chat_call_not_connected();
  }
}

/** Returns the text of a system message. An unknown code, of a later version of the server, has a general text. */
export function systemText(code: string): string {
  return code === 'blocked' ? m.chat_system_blocked() : m.chat_system_note();
}

export const durationText = (milliseconds: number): string => formatDuration(Math.round(milliseconds / 1_000));
