/** An exchange that a test scripts, for tests of the transport below any call. */
import type {
  ChannelIdentity,
  ExchangeConnection,
  ExchangeDoor,
  ExchangeLink,
  ExchangeRefusal,
  ExchangeRequest,
} from '../../../sim/virtual/exchange-door.ts';
import type { Answer } from '../../../sim/faults/message.ts';

export interface Command {
  readonly version: number;
  readonly request_id: string;
  readonly cmd: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

type Handler = (command: Command, connection: ScriptedConnection) => void;

export class ScriptedConnection implements ExchangeConnection {
  readonly who: ChannelIdentity;
  readonly received: string[] = [];
  isClosed = false;
  readonly #link: ExchangeLink;
  readonly #handle: Handler;

  constructor(who: ChannelIdentity, link: ExchangeLink, handle: Handler) {
    this.who = who;
    this.#link = link;
    this.#handle = handle;
  }

  receive(text: string): void {
    this.received.push(text);
    if (text.startsWith('{')) this.#handle(JSON.parse(text), this);
  }

  closed(): void {
    this.isClosed = true;
  }

  send(frame: unknown): void {
    this.#link.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  close(code: number): void {
    this.#link.close(code);
  }

  reply({ request_id, cmd, type }: Command, payload: unknown): void {
    this.send({ version: 1, request_id, cmd, type: `${type}_ack`, payload });
  }
}

export const replyTo = ({ request_id, cmd, type }: Command, payload: unknown) => ({
  version: 1,
  request_id,
  cmd,
  type: `${type}_ack`,
  payload,
});

export const eventFrame = (cmd: string, type: string, payload: unknown, sequence = 1, channel = 'websocket') => ({
  version: 1,
  message_id: `m-${type}-${sequence}`,
  cmd,
  type,
  delivery_info: { channel },
  sequence_number: sequence,
  payload,
});

export class ScriptedExchange implements ExchangeDoor {
  readonly connections: ScriptedConnection[] = [];
  readonly requests: ExchangeRequest[] = [];
  /** Decides on a new channel. Undefined accepts it. */
  admit: (who: ChannelIdentity) => ExchangeRefusal | undefined = () => undefined;
  /** Handles a command on the channel. Acknowledges it with the call id unless a test says otherwise. */
  command: Handler = (command, connection) =>
    connection.reply(command, { call_id: command.payload['call_id'] ?? 'c1' });
  /** Answers an HTTP request. */
  answer: (request: ExchangeRequest) => Answer | Promise<Answer> = () => ({ status: 404 });

  get latest(): ScriptedConnection {
    const connection = this.connections.at(-1);
    if (!connection) throw new Error('nobody has connected');
    return connection;
  }

  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeConnection | ExchangeRefusal {
    const refusal = this.admit(who);
    if (refusal) return refusal;
    const connection = new ScriptedConnection(who, link, (command, from) => this.command(command, from));
    this.connections.push(connection);
    return connection;
  }

  async http(request: ExchangeRequest): Promise<Answer> {
    this.requests.push(request);
    return this.answer(request);
  }
}

/** The state of a promise, once everything has settled, for an assertion without a wait. */
export function outcomeOf<T>(promise: Promise<T>): {
  readonly value?: T;
  readonly code?: number;
  readonly times: number;
} {
  const outcome: { value?: T; code?: number; times: number } = { times: 0 };
  promise.then(
    (value) => {
      outcome.times += 1;
      outcome.value = value;
    },
    (error: unknown) => {
      outcome.times += 1;
      outcome.code = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : -1;
    },
  );
  return outcome;
}
