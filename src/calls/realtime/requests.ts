import type { AnyCommandFrame, ReplyFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode, invalidValue } from '../../protocol/errors.ts';
import { TIMES } from '../../protocol/limits.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock, Timer } from '../../common/clock.ts';

/** The limit of the wait for a reply. A kind of request may have its own. */
export interface ReplyLimit {
  /** The longest wait, milliseconds. */
  readonly ms: number;
  /** True when a missing reply also replaces the channel, which may be dead. False when it fails the request alone. */
  readonly replacesChannel: boolean;
}

/** The limit of a request that has none of its own (§9). */
export const USUAL_LIMIT: ReplyLimit = { ms: TIMES.requestTimeoutMs, replacesChannel: true };

/** A command to send by any route, and the reader of its reply. */
export interface OutgoingCommand<Reply> {
  readonly type: string;
  /**
   * Returns the frame with a request id.
   * @throws CallError `INVALID_PARAMETER_VALUE` with the wrong part of the frame.
   */
  readonly frame: (requestId: string) => AnyCommandFrame;
  /** Reads the reply. @throws CallError with the code of the exchange for a refusal, `ERR_WRONG_RESPONSE` otherwise. */
  readonly read: (reply: ReplyFrame) => Reply;
}

export interface RequestOptions {
  /** The id by which the exchange runs a repeated command once. Default: a new one. */
  readonly requestId?: string;
  /** The limit of each attempt, on every route. Default: {@link USUAL_LIMIT}. */
  readonly limit?: ReplyLimit;
}

interface Waiting {
  readonly answered: (frame: ReplyFrame) => void;
  readonly failed: (error: CallError) => void;
  readonly limit: Timer;
}

/**
 * The requests of a channel that wait for their reply. Each is settled once: by a reply, the time limit or the loss.
 */
export interface PendingRequests {
  /**
   * Begins to wait for the reply to a command. The promise rejects with the refusal of the exchange,
   * `ERR_WRONG_RESPONSE` (a reply to another command), `ERR_NO_RESPONSE_DUE_TO_TIMEOUT` (no reply within the limit) or
   * `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST`.
   *
   * @throws CallError `INVALID_PARAMETER_VALUE` when the id is empty or waits already (§5).
   */
  register<Reply>(requestId: string, read: OutgoingCommand<Reply>['read'], limit?: ReplyLimit): Promise<Reply>;
  /**
   * Passes a reply to its request. A reply without a pending request is logged as a wrong response (§7), unless it comes
   * after the limit of its request.
   */
  settle(frame: ReplyFrame): void;
  /** Fails one request. */
  fail(requestId: string, error: CallError): void;
  /**
   * Fails every waiting request with `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST` when the channel is lost
   * (§8).
   */
  failAll(): void;
}

/** Returns the pending requests of a new channel. */
export function pendingRequests({ clock, log }: { clock: Clock; log: Logger }): PendingRequests {
  const pending = new Map<string, Waiting>();
  /** The requests without a reply in time on this channel, such as keep-alives of rooms, which do not replace it. */
  const late = new Set<string>();

  const take = (requestId: string): Waiting | undefined => {
    const waiting = pending.get(requestId);
    waiting?.limit.cancel();
    pending.delete(requestId);
    return waiting;
  };

  const fail = (requestId: string, error: CallError) => take(requestId)?.failed(error);

  return {
    register: (requestId, read, { ms } = USUAL_LIMIT) => {
      if (requestId === '' || pending.has(requestId)) throw invalidValue('requestId');
      return new Promise((resolve, reject) => {
        const limit = clock.after(ms, () => {
          late.add(requestId);
          fail(requestId, new CallError(ErrorCode.ERR_NO_RESPONSE_DUE_TO_TIMEOUT));
        });
        const answered = (frame: ReplyFrame) => {
          try {
            resolve(read(frame));
          } catch (error) {
            reject(error);
          }
        };
        pending.set(requestId, { answered, failed: reject, limit });
      });
    },
    settle: (frame) => {
      const waiting = take(frame.request_id);
      if (waiting) waiting.answered(frame);
      else if (late.delete(frame.request_id)) log.debug('a reply came late', { type: frame.type });
      else
        log.error('wrong response: no request waits for it', {
          code: ErrorCode.ERR_WRONG_RESPONSE,
          type: frame.type,
        });
    },
    fail,
    failAll: () => {
      late.clear();
      for (const id of [...pending.keys()])
        fail(id, new CallError(ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST));
    },
  };
}
