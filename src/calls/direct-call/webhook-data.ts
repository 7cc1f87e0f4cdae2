import * as v from 'valibot';
import { CallError, invalidValue } from '../../protocol/errors.ts';
import { webhookBody } from '../../protocol/webhook.ts';
import { requireObject } from '../client/checks.ts';

/** The body that the exchange posts to the webhook of a dial, parsed. It is handed on as it came. */
export interface WebhookData {
  readonly version: number;
  readonly app_id: string;
  readonly event_id: string;
  /** What happened: `dial` rings. */
  readonly event: string;
  readonly call_id: string;
  /** Milliseconds since the epoch. */
  readonly occurred_at: number;
  readonly payload: object;
}

/**
 * Reads the body of a webhook; the incoming dial in it, or null when it is about something else.
 *
 * @throws CallError 1800300 when it is empty, or is for another user; 1800301 when it is no object; 1800208 saying where
 *   it is no such body.
 */
export function incomingDialOf(data: unknown, userId: string) {
  const result = v.safeParse(webhookBody, requireObject(data, 'data'));
  if (!result.success) {
    const [{ message }] = result.issues;
    const where = ['data', v.getDotPath(result.issues[0])].filter(Boolean).join('.');
    throw new CallError(1800208, { message: `The webhook data is invalid at ${where}: ${message}` });
  }
  const { event, payload } = result.output;
  if (event !== 'dial') return null;
  if (payload.callee.user_id !== userId) throw invalidValue('data');
  return payload;
}
