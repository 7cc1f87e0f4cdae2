import type { AnyCommandFrame, ReplyFrame } from '../../protocol/envelope.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { CommandPayload, CommandType } from '../../protocol/messages/commands.ts';
import type { ReplyPayload } from '../../protocol/messages/replies.ts';
import type { Logger } from '../logging/log.ts';
import type { Clock } from '../../common/clock.ts';
import type { Channel } from './channel.ts';
import { directCommand } from './command-frame.ts';
import { USUAL_LIMIT, type OutgoingCommand, type RequestOptions } from './requests.ts';
import { genericPolicy } from './retry-policy.ts';
import { wait } from './wait.ts';

export interface SignallingDeps {
  readonly channel: Pick<Channel, 'state' | 'opens' | 'send'>;
  /** Sends a command by HTTP, and waits at most this long for the answer. */
  readonly action: (frame: AnyCommandFrame, limitMs: number) => Promise<ReplyFrame>;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How a command is sent that has another route than the fallback over HTTP. */
export interface SendOptions<Reply> extends RequestOptions {
  /** The request of the command over HTTP (§7), for a command that the channel has not carried. Default: the fallback. */
  readonly overHttp?: (limitMs: number, requestId: string) => Promise<Reply>;
  /** True sends a failed request over HTTP again after 1, 2 and 3 s. Default: true. */
  readonly retries?: boolean;
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
   * Sends a command about a direct call, or about none. Rejects as {@link send} does, and with
   * `ERR_WEBSOCKET_CONNECTION_NOT_OPENED` when the channel was never opened.
   */
  async request<T extends CommandType>(
    type: T,
    payload: CommandPayload<T>,
    options: RequestOptions = {},
  ): Promise<ReplyPayload<T>> {
    if (this.#deps.channel.opens === 0) throw new CallError(ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED);
    return this.send(directCommand(type, payload), options);
  }

  /**
   * Sends a command and waits for its reply. A failed HTTP request is retried after 1, 2 and 3 s. When the channel is
   * open again by then, the channel carries it. All routes together have the time limit of the command.
   *
   * @throws CallError with the code of the exchange when it refuses.
   *   `ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST` after {@link close}. Also what {@link Channel.send} and HTTP
   *   requests throw.
   */
  async send<Reply>(
    command: OutgoingCommand<Reply>,
    { requestId = this.#deps.newId(), limit = USUAL_LIMIT, retries = true, overHttp }: SendOptions<Reply> = {},
  ): Promise<Reply> {
    const { channel, action, clock, log } = this.#deps;
    const { signal } = this.#ending;
    // The exchange runs a frame once, but not a frame and a request. So a command that was sent stays a frame.
    const until = clock.now() + limit.ms;
    const byFrame = async () => command.read(await action(command.frame(requestId), until - clock.now()));
    let byHttp = overHttp ? () => overHttp(until - clock.now(), requestId) : byFrame;
    for (let retry = 0; ; retry += 1) {
      try {
        if (channel.state === 'open') {
          const sent = await this.#overChannel(command, { requestId, limit }, signal);
          if (sent) return sent.reply;
          byHttp = byFrame;
        }
        return await byHttp();
      } catch (error) {
        const ms = genericPolicy.waitBefore(retry);
        if (!isCode(error, ErrorCode.ERR_REQUEST_FAILED) || ms === null || !retries) throw error;
        log.debug('command is sent again', { type: command.type, in: ms });
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

  /** Sends a command over the channel. Resolves to null when the channel was lost, or its session refused. */
  async #overChannel<Reply>(
    command: OutgoingCommand<Reply>,
    options: Required<RequestOptions>,
    signal: AbortSignal,
  ): Promise<{ readonly reply: Reply } | null> {
    const { channel, log } = this.#deps;
    try {
      return { reply: await channel.send(command, options) };
    } catch (error) {
      const isLost = isCode(
        error,
        ErrorCode.ERR_WEBSOCKET_CONNECTION_NOT_OPENED,
        ErrorCode.ERR_REQUEST_FAILED_DUE_TO_WEBSOCKET_CONNECTION_LOST,
        ErrorCode.USER_NOT_AUTHENTICATED,
      );
      if (!isLost || signal.aborted || channel.opens === 0) throw error;
      log.debug('a command is sent by HTTP', { type: command.type });
      return null;
    }
  }
}
