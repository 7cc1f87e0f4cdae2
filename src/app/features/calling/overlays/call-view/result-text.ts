import type { CallResult } from '../../../../../react/index.ts';
import { m } from '../../../../core/i18n/generated/messages.js';

/** Returns the result of a call as text. `canceled` is the caller's own action, and a missed call for the callee. */
export function resultTitle(result: CallResult, byCaller: boolean): string {
  switch (result) {
    case 'completed':
      return m.ended_completed();
    case 'no_answer':
      return byCaller ? m.ended_no_answer() : m.ended_canceled();
    case 'canceled':
      return byCaller ? m.ended_canceled_by_me() : m.ended_canceled();
    case 'declined':
      return m.ended_declined();
    case 'other_device_accepted':
      return m.ended_other_device_accepted();
    case 'connection_lost':
      return m.ended_connection_lost();
    case 'timed_out':
      return m.ended_timed_out();
    case 'dial_failed':
      return m.ended_dial_failed();
    case 'accept_failed':
      return m.ended_accept_failed();
    case 'not_connected':
    case 'unknown':
      return m.ended_not_connected();
    default:
      return result satisfies never;
  }
}

/** Returns what the user can do about the result. Returns null without advice. */
export function resultHint(result: CallResult): string | null {
  switch (result) {
    case 'no_answer':
      return m.ended_hint_no_answer();
    case 'connection_lost':
      return m.ended_hint_connection_lost();
    case 'timed_out':
      return m.ended_hint_timed_out();
    case 'dial_failed':
      return m.ended_hint_dial_failed();
    default:
      return null;
  }
}
