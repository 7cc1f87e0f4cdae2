import type { ChannelIdentity, Connection, Refusal } from '../exchange/delivery/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpRequest, HttpResponse } from '../http/request.ts';
import type { Link } from '../exchange/ports.ts';
import { passingFrame, type PassingFrame } from './wire-text.ts';

/** The link between a device of a simulated user and the exchange. It is observed, and can be silenced. */
export class SimulatedDeviceLink {
  readonly userId: string;
  readonly #callId: string | null;
  readonly #exchange: Pick<Exchange, 'connect' | 'http'>;
  readonly #onFrame: (frame: PassingFrame) => void;
  readonly #calls = new Set<string>();
  #isSilent = false;

  /**
   * @param callId - the call that the device may ring for: a user who accepts one call declines all others that ring.
   *   Null for none.
   * @param onFrame - receives what the exchange sends this device, refusals excluded.
   */
  constructor(
    { userId, callId }: { readonly userId: string; readonly callId: string | null },
    exchange: Pick<Exchange, 'connect' | 'http'>,
    onFrame: (frame: PassingFrame) => void,
  ) {
    this.userId = userId;
    this.#callId = callId;
    this.#exchange = exchange;
    this.#onFrame = onFrame;
  }

  /** Returns whether the device has taken part in the call beyond ringing. */
  isIn(callId: string): boolean {
    return this.#calls.has(callId);
  }

  goSilent(): void {
    this.#isSilent = true;
  }

  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    const connection = this.#exchange.connect(who, {
      send: (text) => {
        const frame = passingFrame(text);
        if (this.#isSilent || (frame?.type === 'dial' && frame.payload?.call_id !== this.#callId)) return;
        this.#listen(frame);
        link.send(text);
      },
      close: (code, reason) => link.close(code, reason),
    });
    if ('status' in connection) return connection;
    return {
      receive: (text) => {
        if (!this.#isSilent) connection.receive(text);
      },
      closed: () => connection.closed(),
    };
  }

  async http(request: HttpRequest): Promise<HttpResponse> {
    if (this.#isSilent) return NEVER;
    const response = await this.#exchange.http(request);
    this.#listen(passingFrame(response.body));
    return response;
  }

  #listen(frame: PassingFrame | undefined): void {
    const callId = frame?.payload?.call_id;
    if (!frame || callId === undefined || frame.error !== undefined) return;
    if (frame.type === 'dial_ack' || frame.type === 'accept_ack') this.#calls.add(callId);
    this.#onFrame(frame);
  }
}

const NEVER = new Promise<never>(() => undefined);
