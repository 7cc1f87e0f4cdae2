import { CallError } from '../../src/protocol/errors.ts';
import { PATHS } from '../../src/protocol/http.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.ts';
import type { ChannelIdentity, Connection, Refusal } from '../exchange/delivery/connection.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Link } from '../exchange/ports.ts';
import { FaultEngine, Lane, type LinkClock } from '../faults/fault-engine.ts';
import { type Answer, type Message, parseBody, textOf } from '../faults/message.ts';
import { type MessageFault, messageRule } from '../faults/message-rule.ts';
import type { HttpRequest, HttpResponse } from '../http/request.ts';
import { isCommand, replyName, requestName } from './format/message-names.ts';
import type { Fault, ScriptFault } from './format/tree.ts';
import { passingFrame } from './wire-text.ts';

type Door = Pick<Exchange, 'connect' | 'http'>;

/** The name of the client under test in the faults of its script. */
const CLIENT = 'client';

/** The link between a client under test and the exchange, with the faults of the script. */
export class ClientLink {
  readonly #exchange: Door;
  readonly #faults: FaultEngine;

  /** @param faults - the faults of the script. Each counts only the messages of this client. */
  constructor(exchange: Door, clock: LinkClock, faults: readonly ScriptFault[]) {
    this.#exchange = exchange;
    this.#faults = new FaultEngine({ clock });
    // No fault of a script has a probability.
    const options = { random: () => 0, refusal };
    for (const { fault, ...selection } of faults) this.#faults.add(messageRule(directed(fault), selection, options));
  }

  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    const lanes = { up: new Lane(), down: new Lane() };
    const deliver = (text: string) =>
      this.#faults.carry(frameMessage('down', text), { lane: lanes.down, arrive: (sent) => link.send(sent) });
    const connection = this.#exchange.connect(who, {
      send: deliver,
      close: (code, reason) => link.close(code, reason),
    });
    if ('status' in connection) return connection;
    return {
      receive: (text) =>
        this.#faults.carry(frameMessage('up', text), {
          lane: lanes.up,
          arrive: (sent) => connection.receive(sent),
          answered: (answer) => deliver(textOf(answer)),
        }),
      closed: () => connection.closed(),
    };
  }

  /** Handles a request as the exchange does. A lost answer never arrives. */
  http(request: HttpRequest): Promise<HttpResponse> {
    const command = request.path === PATHS.action ? passingFrame(request.body) : undefined;
    const type = command?.type ?? requestName(request.path);
    if (type === undefined) return this.#exchange.http(request);
    return new Promise((resolve, reject) => {
      const sent: Message = { device: CLIENT, direction: 'up', via: 'http', type, text: textOf(request) };
      const respond = (response: HttpResponse) => {
        const text = textOf(response);
        this.#faults.carry(
          { ...sent, direction: 'down', type: replyName(type), text, status: response.status },
          { arrive: (arrived) => resolve(arrived === text ? response : { ...response, body: parseBody(arrived) }) },
        );
      };
      this.#faults.carry(sent, {
        arrive: (text) => {
          const arrived = text === sent.text ? request : { ...request, body: parseBody(text) };
          this.#exchange.http(arrived).then(respond, reject);
        },
        answered: ({ status, body }) => respond({ status, body }),
      });
    });
  }
}

const frameMessage = (direction: Message['direction'], text: string): Message => ({
  device: CLIENT,
  direction,
  via: 'socket',
  type: passingFrame(text)?.type ?? '',
  text,
});

/** Returns the fault with one direction at most. Only a message of the client can be refused. */
function directed(fault: Fault): MessageFault {
  if (fault.kind === 'refuse') return { ...fault, from: CLIENT };
  return fault.from === undefined ? fault : { ...fault, to: undefined };
}

/** Returns the answer of an exchange that refuses a command, or a request that carries none. */
function refusal({ type, text }: Message, code: number): Answer {
  const { message } = new CallError(code);
  if (!isCommand(type)) return { status: 400, body: { code, message } };
  const frame = passingFrame(text);
  return {
    status: 200,
    body: {
      version: PROTOCOL_VERSION,
      request_id: frame?.request_id,
      cmd: frame?.cmd,
      type: replyName(type),
      error: { code, message },
    },
  };
}
