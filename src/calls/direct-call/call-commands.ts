import type { CandidatePayload } from '../../protocol/entities.ts';
import type { TimeoutReason } from '../../protocol/enumerations.ts';
import type { CommandPayload, CommandType } from '../../protocol/messages/commands.ts';
import type { ReplyPayload } from '../../protocol/messages/replies.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Logger } from '../logging/log.ts';

/** Sends a command over the channel or HTTP, and waits for its reply. */
export interface CommandPort {
  request<T extends CommandType>(type: T, payload: CommandPayload<T>): Promise<ReplyPayload<T>>;
}

/** The type of a command that carries the id of its call. Only an `end` carries more. */
type PlainCommand = 'cancel' | 'decline' | 'end' | 'no_answer' | 'connection_lost' | 'alive';

export interface CallCommandsDeps {
  readonly port: CommandPort;
  readonly log: Pick<Logger, 'debug'>;
  /** Runs when the exchange does not know the call. */
  readonly unknown: () => void;
  /** Runs when the exchange reports that the call is over. */
  readonly over: () => void;
}

/** The commands of one call. The failure of a background command is logged at debug level (§7). */
export class CallCommands {
  readonly #deps: CallCommandsDeps;
  callId: string;

  constructor(callId: string, deps: CallCommandsDeps) {
    this.#deps = deps;
    this.callId = callId;
  }

  /**
   * Sends a command that carries the id of the call.
   *
   * @param was_connected - for an `end`: whether this side had media. The exchange may get the `end` before the report
   *   of that, or without it.
   */
  send(type: PlainCommand, was_connected?: boolean): void {
    this.#sendPayload(type, { call_id: this.callId, was_connected });
  }

  timeout(reason: TimeoutReason): void {
    this.#sendPayload('timeout', { call_id: this.callId, reason });
  }

  /** Reports that this side sends sound or picture, or does not. */
  media(type: 'audio' | 'video', is_enabled: boolean): void {
    this.#sendPayload(type, { call_id: this.callId, is_enabled });
  }

  recording(recording: Omit<CommandPayload<'recording'>, 'call_id'>): void {
    this.#sendPayload('recording', { call_id: this.callId, ...recording });
  }

  /** Resolves to whether the exchange has answered, also with a refusal. Never rejects. */
  connected(connection: CommandPayload<'connected'>['connection'], reconnect: boolean): Promise<boolean> {
    return this.#request('connected', { call_id: this.callId, connection, reconnect }).then(
      () => true,
      (error: unknown) => {
        this.#deps.log.debug('connected was not sent', { error });
        return error instanceof CallError && error.code < 1_800_000;
      },
    );
  }

  accept(payload: Omit<CommandPayload<'accept'>, 'call_id'>): Promise<ReplyPayload<'accept'>> {
    return this.#request('accept', { call_id: this.callId, ...payload });
  }

  hold(is_on_hold: boolean, was_relayed: boolean): Promise<ReplyPayload<'hold'>> {
    return this.#request('hold', { call_id: this.callId, is_on_hold, was_relayed });
  }

  async offer(sdp: string, peer_connection_id: string, offer_id: string): Promise<void> {
    await this.#request('offer', { call_id: this.callId, sdp, peer_connection_id, offer_id });
  }

  async answer(sdp: string, peer_connection_id: string, offer_id: string | undefined): Promise<void> {
    await this.#request('answer', { call_id: this.callId, sdp, peer_connection_id, offer_id });
  }

  async candidate(candidate: CandidatePayload, peer_connection_id: string): Promise<void> {
    await this.#request('candidate', { call_id: this.callId, candidate, peer_connection_id });
  }

  #request<T extends CommandType>(type: T, payload: CommandPayload<T>): Promise<ReplyPayload<T>> {
    const reply = this.#deps.port.request(type, payload);
    reply.catch((error: unknown) => {
      if (!(error instanceof CallError)) return;
      if (error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST) this.#deps.unknown();
      // Another command may be refused for its content. An alive has none, so this client missed the end of the call.
      if (error.code === ErrorCode.ERR_INVALID_CALL_STATUS && type === 'alive') this.#deps.over();
    });
    return reply;
  }

  #sendPayload<T extends CommandType>(type: T, payload: CommandPayload<T>): void {
    this.#request(type, payload).catch((error: unknown) => this.#deps.log.debug(`${type} was not sent`, { error }));
  }
}
