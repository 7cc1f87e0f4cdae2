import * as v from 'valibot';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import { webhookBody } from '../../protocol/webhook.ts';
import { requireObject } from '../host/checks.ts';

/** The parsed body of a request that the exchange posts to the webhook of a dial. */
export interface WebhookData {
  /** The version of the format. */
  readonly version: number;
  /** The id of the application of the call. */
  readonly app_id: string;
  /** The id of the event. */
  readonly event_id: string;
  /** The name of the event. `dial` makes an incoming call ring. */
  readonly event: string;
  /** The id of the call. */
  readonly call_id: string;
  /** The time of the event, in milliseconds since the epoch. */
  readonly occurred_at: number;
  /** The data of the event. */
  readonly payload: object;
}

/**
 * Reads the incoming dial in the body of a webhook. Null for another event.
 *
 * @throws CallError `INVALID_PARAMETER_VALUE` when the body is empty, or is for another user. `INVALID_PARAMETER_TYPE`
 *   when it is not an object. `ERR_MALFORMED_DATA` with the wrong place when it is not a webhook body.
 */
export function incomingDialOf(data: unknown, userId: string) {
  const result = v.safeParse(webhookBody, requireObject(data, 'data'));
  if (!result.success) {
    const [{ message }] = result.issues;
    const where = ['data', v.getDotPath(result.issues[0])].filter(Boolean).join('.');
    throw new CallError(ErrorCode.ERR_MALFORMED_DATA, {
      message: `The webhook data is invalid at ${where}: ${message}`,
    });
  }
  const { event, payload } = result.output;
  if (event !== 'dial') return null;
  if (payload.callee.user_id !== userId) throw invalidValue('data');
  return payload;
}
