/** The door of an exchange, as the virtual network sees it. */

/** Who opens a realtime channel, as the upgrade's query says. */
export interface ChannelIdentity {
  readonly sessionToken: string;
  readonly clientId: string;
  readonly version: string;
}

/** The exchange's way back to a device. */
export interface ExchangeLink {
  send(text: string): void;
  close(code: number): void;
}

/** What the exchange makes of a channel it takes. */
export interface ExchangeConnection {
  receive(text: string): void;
  closed(): void;
}

/** What the exchange makes of one it does not take: the HTTP status of the upgrade. */
export interface ExchangeRefusal {
  readonly status: number;
}

export interface ExchangeRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, parsed; undefined where there is none. Text that is not JSON stays text. */
  readonly body: unknown;
}

export interface ExchangeAnswer {
  readonly status: number;
  /** Sent as JSON; a string is sent as it is, undefined as nothing. */
  readonly body?: unknown;
  readonly redirected?: boolean;
}

/** The door of an exchange: what the network needs of it. */
export interface ExchangeDoor {
  /** No process listens: every device finds the exchange unreachable. Default: the exchange runs. */
  readonly isDown?: boolean;
  connect(who: ChannelIdentity, link: ExchangeLink): ExchangeConnection | ExchangeRefusal;
  http(request: ExchangeRequest): Promise<ExchangeAnswer>;
}
