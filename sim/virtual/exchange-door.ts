/** The interface of an exchange, as the virtual network uses it. */
import type { Answer } from '../faults/message.ts';

/** The identity of a client that opens a realtime channel, from the query of its upgrade. */
export interface ChannelIdentity {
  readonly sessionToken: string;
  readonly clientId: string;
  readonly version: string;
}

/** The link on which the exchange sends to a device. */
export interface ExchangeLink {
  send(text: string): void;
  close(code: number): void;
  /** Breaks the connection, as the end of a process does: both ends get a reset. Absent for a link that cannot break. */
  reset?(): void;
}

/** An accepted channel. */
export interface ExchangeConnection {
  /** The node that accepted it. Absent with one node. */
  readonly node?: string;
  receive(text: string): void;
  closed(): void;
}

/** A refused channel: the HTTP status of the upgrade. */
export interface ExchangeRefusal {
  readonly status: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. Undefined if there is none. Text that is not JSON stays text. */
  readonly body: unknown;
}

/** The answer of an exchange to a device that opens a channel. */
export type ExchangeAnswer = ExchangeConnection | ExchangeRefusal;

/** The operations of an exchange that the network needs. */
export interface ExchangeDoor {
  /** Whether no process listens, so that every device finds the exchange unreachable. Default: false. */
  readonly isDown?: boolean;
  /** Accepts or refuses a channel. A promise when the answer takes time: the upgrade waits for it. */
  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeAnswer | Promise<ExchangeAnswer>;
  http(request: ExchangeRequest): Promise<Answer>;
}
