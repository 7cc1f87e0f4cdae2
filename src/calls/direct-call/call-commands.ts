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

/** The payload of a command without the id of its call. */
type OfACall<T extends CommandType> = Omit<CommandPayload<T>, 'call_id'>;

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
    this.#sendPayload(type, { was_connected });
  }

  timeout(reason: TimeoutReason): void {
    this.#sendPayload('timeout', { reason });
  }

  /** Reports that this side sends sound or picture, or does not. */
  media(type: 'audio' | 'video', is_enabled: boolean): void {
    this.#sendPayload(type, { is_enabled });
  }

  recording(recording: OfACall<'recording'>): void {
    this.#sendPayload('recording', recording);
  }

  /** Resolves to whether the exchange has answered, also with a refusal. Never rejects. */
  connected(connection: CommandPayload<'connected'>['connection'], reconnect: boolean): Promise<boolean> {
    return this.#request('connected', { connection, reconnect }).then(
      () => true,
      (error: unknown) => {
        this.#deps.log.debug('connected was not sent', { error });
        return error instanceof CallError && error.code < 1_800_000;
      },
    );
  }

  accept(payload: OfACall<'accept'>): Promise<ReplyPayload<'accept'>> {
    return this.#request('accept', payload);
  }

  hold(is_on_hold: boolean, was_relayed: boolean): Promise<ReplyPayload<'hold'>> {
    return this.#request('hold', { is_on_hold, was_relayed });
  }

  offer(sdp: string, peer_connection_id: string, offer_id: string): Promise<unknown> {
    return this.#request('offer', { sdp, peer_connection_id, offer_id });
  }

  answer(sdp: string, peer_connection_id: string, offer_id: string | undefined): Promise<unknown> {
    return this.#request('answer', { sdp, peer_connection_id, offer_id });
  }

  candidate(candidate: CandidatePayload, peer_connection_id: string): Promise<unknown> {
    return this.#request('candidate', { candidate, peer_connection_id });
  }

  #request<T extends CommandType>(type: T, payload: OfACall<T>): Promise<ReplyPayload<T>> {
    // TypeScript does not see that the id is all that the payload lacks.
    const whole = { call_id: this.callId, ...payload } as unknown as CommandPayload<T>;
    const reply = this.#deps.port.request(type, whole);
    reply.catch((error: unknown) => {
      if (!(error instanceof CallError)) return;
      if (error.code === ErrorCode.ERR_CALL_DOES_NOT_EXIST) this.#deps.unknown();
      // Another command may be refused for its content. An alive has none, so this client missed the end of the call.
      if (error.code === ErrorCode.ERR_INVALID_CALL_STATUS && type === 'alive') this.#deps.over();
    });
    return reply;
  }

  #sendPayload<T extends CommandType>(type: T, payload: OfACall<T>): void {
    this.#request(type, payload).catch((error: unknown) => this.#deps.log.debug(`${type} was not sent`, { error }));
  }
}
