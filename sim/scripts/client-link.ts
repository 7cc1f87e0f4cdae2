import { CallError } from '../../src/protocol/errors.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import type { ChannelIdentity, Connection, Refusal } from '../exchange/delivery/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpRequest, HttpResponse } from '../http/request.ts';
import type { Link } from '../exchange/ports.ts';
import type { Delays } from './delays.ts';
import { replyName, requestName } from './format/message-names.ts';
import type { StruckFault } from './format/tree.ts';
import { MessageFaults, type Direction } from './message-faults.ts';
import { passingFrame, type PassingFrame } from './wire-text.ts';

type Door = Pick<Exchange, 'connect' | 'http'>;

/** The link between a client under test and the exchange, with the faults of the script. */
export class ClientLink {
  readonly #exchange: Door;
  readonly #delays: Delays;
  readonly #faults: MessageFaults;

  constructor(exchange: Door, delays: Delays, faults: readonly StruckFault[]) {
    this.#exchange = exchange;
    this.#delays = delays;
    this.#faults = new MessageFaults(faults);
  }

  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    const connection = this.#exchange.connect(who, {
      send: (text) => this.#pass('down', passingFrame(text), () => link.send(text)),
      close: (code, reason) => link.close(code, reason),
    });
    if ('status' in connection) return connection;
    return {
      receive: (text) => {
        const frame = passingFrame(text);
        const refused = (code: number) => link.send(JSON.stringify(refusal(frame, code)));
        this.#pass('up', frame, () => connection.receive(text), refused);
      },
      closed: () => connection.closed(),
    };
  }

  /** Handles a request as the exchange does. A lost answer never arrives. */
  http(request: HttpRequest): Promise<HttpResponse> {
    const command = request.path === PATHS.action ? passingFrame(request.body) : undefined;
    const name = command?.type ?? requestName(request.path);
    const asked = name === undefined ? undefined : { type: name };
    return new Promise((resolve) => {
      const refused = (code: number) => {
        const { message } = new CallError(code);
        resolve(command ? { status: 200, body: refusal(command, code) } : { status: 400, body: { code, message } });
      };
      const answered = (response: HttpResponse) => {
        const reply = asked && { type: replyName(asked.type) };
        this.#pass('down', reply, () => resolve(response));
      };
      this.#pass('up', asked, () => void this.#exchange.http(request).then(answered), refused);
    });
  }

  #pass(
    direction: Direction,
    frame: Pick<PassingFrame, 'type'> | undefined,
    arrive: () => void,
    refused: (code: number) => void = () => undefined,
  ): void {
    const fate = frame && this.#faults.fateOf(direction, frame.type);
    if (fate === undefined) arrive();
    else if (fate === 'drop') return;
    else if ('delayMs' in fate) this.#delays.after(fate.delayMs, arrive);
    else refused(fate.refuseWith);
  }
}

function refusal(frame: PassingFrame | undefined, code: number): object {
  return {
    version: PROTOCOL_VERSION,
    request_id: frame?.request_id,
    cmd: frame?.cmd,
    type: replyName(frame?.type ?? ''),
    error: { code, message: new CallError(code).message },
  };
}
