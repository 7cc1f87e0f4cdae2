/** Messages in transit through the virtual network, and what may happen to them. */
import type { VirtualClock } from './clock.ts';
import type { ExchangeAnswer, ExchangeDoor } from './exchange-door.ts';

/** One message in transit. `up` is from the device to the exchange. */
export interface Transit {
  readonly device: string;
  readonly direction: 'up' | 'down';
  readonly via: 'socket' | 'http';
  /** The command or event (`dial`, `dial_ack`), or the method and path of a request (`GET /v1/…`), or the status. */
  readonly type: string;
  readonly text: string;
  /** The HTTP status of an answer to a request. */
  readonly status?: number;
}

/** What happens to a message. Undefined: it is delivered normally. */
export type Fate =
  /** It is lost. */
  | 'drop'
  /** It is delayed. Others overtake it, unless it is `inOrder`: then later messages of its channel wait for it. */
  | { readonly delayMs: number; readonly inOrder?: boolean }
  /** It waits until this many messages of its direction have passed. */
  | { readonly behind: number }
  | { readonly copies: number }
  /** It arrives on time, and a second time after this delay. Milliseconds. */
  | { readonly againAfterMs: number }
  /** It arrives with this text instead. */
  | { readonly text: string }
  /** It is never delivered. A request is answered with this; an answer is replaced by this. */
  | { readonly answer: ExchangeAnswer }
  | undefined;

export type Rule = (message: Transit) => Fate;

export interface TraceLine extends Transit {
  /** When it was sent, in milliseconds since the world began. */
  readonly at: number;
  readonly dropped: boolean;
  /** The decision of a rule. Undefined if no rule applied. */
  readonly fate: Fate;
}

/** One direction of one connection: ordered messages arrive no sooner than those sent before them. */
export class Lane {
  #last = 0;

  /** Returns the arrival time of a message that would arrive at `soonest` alone, by the world's clock. */
  arrival(soonest: number): number {
    this.#last = Math.max(this.#last, soonest);
    return this.#last;
  }
}

/** What happens at the ends of a message's way. */
export interface Arrival {
  /** Absent for a request, which has a separate connection. */
  readonly lane?: Lane;
  arrive(text: string): void;
  /** Called when the message never arrives. */
  lost?(): void;
  /** Called when another answer replaces the message or answers it. */
  answered?(answer: ExchangeAnswer): void;
}

/** The latency of one way through the network. Milliseconds. */
export const LATENCY_MS = 1;

/** The part of the network that its ends use. */
export interface Carrier {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Carries a message and records it. */
  carry(message: Transit, arrival: Arrival): void;
}

/** Returns the text of the exchange's answer. */
export const textOf = ({ body }: ExchangeAnswer): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

/** Parses a JSON text. Text that is not JSON is returned as it is. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
