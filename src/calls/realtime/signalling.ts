import { readReply, type CommandFrame, type ReplyFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { CommandPayload, CommandType } from '../../protocol/messages/commands.ts';
import type { ReplyPayload } from '../../protocol/messages/replies.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import type { Channel } from './channel.ts';
import { commandFrame } from './command-frame.ts';
import { USUAL_LIMIT, type RequestOptions } from './requests.ts';
import { genericPolicy } from './retry-policy.ts';
import { wait } from './wait.ts';

export interface SignallingDeps {
  readonly channel: Pick<Channel, 'state' | 'opens' | 'request'>;
  /** Sends a command by HTTP, and waits at most this long for the answer. */
  readonly action: (frame: CommandFrame, limitMs: number) => Promise<ReplyFrame>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

const isCode = (error: unknown, ...codes: number[]): error is CallError =>
  error instanceof CallError && codes.includes(error.code);

/**
 * Commands over the route that works: the channel while it is open, HTTP while it is lost or its session is refused
 * (§7, fallback path). A command keeps its request id on every route and retry, so that the exchange runs it once.
 */
export class Signalling {
  readonly #deps: SignallingDeps;
  #ending = new AbortController();

  constructor(deps: SignallingDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a command and waits for its reply. A failed HTTP request is retried after 1, 2 and 3 s. When the channel is
   * open again by then, the channel carries it.
   *
   * @throws CallError with the code of the exchange when it refuses. `ERR_WEBSOCKET_CONNECTION_NOT_OPENED` when the
   *   channel was never opened. `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST` after {@link close}. Also what
   *   {@link Channel.request} and HTTP requests throw.
   */
  async request<T extends CommandType>(
    type: T,
    payload: CommandPayload<T>,
    { requestId = this.#deps.newId(), limit = USUAL_LIMIT }: RequestOptions = {},
  ): Promise<ReplyPayload<T>> {
    const { channel, clock, log } = this.#deps;
    if (channel.opens === 0) throw new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED);
    const { signal } = this.#ending;
    for (let retry = 0; ; retry += 1) {
      try {
        return await this.#once(type, payload, { requestId, limit }, signal);
      } catch (error) {
        const ms = genericPolicy.waitBefore(retry);
        if (!isCode(error, ErrorCode.ERR_REQUEST_FAILED) || ms === null) throw error;
        log.debug('command is sent again', { type, in: ms });
        if (!(await wait(clock, ms, signal)))
          throw new CallError(ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST);
      }
    }
  }

  /** Fails the commands that wait for a retry, after the sign-out. */
  close(): void {
    this.#ending.abort();
    this.#ending = new AbortController();
  }

  async #once<T extends CommandType>(
    type: T,
    payload: CommandPayload<T>,
    options: Required<RequestOptions>,
    signal: AbortSignal,
  ): Promise<ReplyPayload<T>> {
    const { channel, action, log } = this.#deps;
    if (channel.state === 'open') {
      try {
        return await channel.request(type, payload, options);
      } catch (error) {
        if (
          !isCode(
            error,
            ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED,
            ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST,
            ErrorCode.USER_NOT_AUTHENTICATED,
          ) ||
          signal.aborted ||
          channel.opens === 0
        )
          throw error;
        log.debug('a command is sent by HTTP instead of the channel', { type });
      }
    }
    return readReply(type, await action(commandFrame(type, payload, options.requestId), options.limit.ms));
  }
}
