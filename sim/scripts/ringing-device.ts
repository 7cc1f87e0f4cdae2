import { CallError, ErrorCode } from '../../src/protocol/errors.ts';
import { filledPath } from '../../src/protocol/endpoint.ts';
import { HEADERS, PATHS, loginAnswer } from '../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import type { CommandPayload, CommandType } from '../../src/protocol/messages/commands.ts';
import * as v from 'valibot';
import type { Connection } from '../exchange/delivery/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Ids } from '../exchange/ports.ts';
import { passingFrame } from './wire-text.ts';

export interface DoorbellOptions {
  readonly exchange: Pick<Exchange, 'connect' | 'http'>;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly appId: string;
  readonly userId: string;
  readonly token: string;
  /** Called when a call rings at this device. */
  readonly rang: (callId: string) => void;
}

/**
 * A device without media of a simulated user. With it the user can be called, reports ringing, and can decline. It
 * accepts no call: a user who accepts does so on another device (party.ts).
 */
export class RingingDevice {
  readonly #options: DoorbellOptions;
  #connection: Connection | null = null;
  #isClosed = false;

  constructor(options: DoorbellOptions) {
    this.#options = options;
  }

  /** Signs in and opens the channel. @throws CallError with the code of a refused login. */
  async open(): Promise<void> {
    const { exchange, ids, appId, userId, token } = this.#options;
    const clientId = ids.uuid();
    const { status, body } = await exchange.http({
      method: 'POST',
      path: filledPath(PATHS.login, { user_id: userId }),
      query: {},
      headers: { [HEADERS.clientId]: clientId },
      address: '',
      body: { app_id: appId, user_id: userId, access_token: token },
    });
    const answer = v.safeParse(loginAnswer, body);
    if (status !== 200 || !answer.success) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    if (this.#isClosed) return;
    const who = { sessionToken: answer.output.sbcall_session_token, clientId, version: 'script' };
    const connection = exchange.connect(who, {
      // The exchange finishes its current work before it reads the reply, as over a network.
      send: (text) => void Promise.resolve().then(() => this.#heard(text)),
      close: () => undefined,
    });
    if ('status' in connection) throw new CallError(connection.code);
    this.#connection = connection;
  }

  decline(callId: string): void {
    this.#say('decline', { call_id: callId });
  }

  close(): void {
    this.#isClosed = true;
    this.#connection?.closed();
    this.#connection = null;
  }

  #heard(text: string): void {
    const frame = passingFrame(text);
    const callId = frame?.payload?.call_id;
    if (this.#isClosed || frame?.type !== 'dial' || callId === undefined) return;
    this.#say('dial_rcv', {
      call_id: callId,
      callee_delivery_info: { channel: 'websocket' },
      received_type: 'websocket',
    });
    this.#options.rang(callId);
  }

  #say<T extends CommandType>(type: T, payload: CommandPayload<T>): void {
    const frame = { version: PROTOCOL_VERSION, request_id: this.#options.ids.uuid(), cmd: 'CALL', type, payload };
    this.#connection?.receive(JSON.stringify(frame));
  }
}
