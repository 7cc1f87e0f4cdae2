/** Messages on their way through the virtual network, and what may become of them. */
import type { VirtualClock } from './clock.ts';
import type { ExchangeAnswer, ExchangeDoor } from './exchange-door.ts';

/** One message on its way. `up` is from the device to the exchange. */
export interface Transit {
  readonly device: string;
  readonly direction: 'up' | 'down';
  readonly via: 'socket' | 'http';
  /** The command or event (`dial`, `dial_ack`), or the method and path of a request (`GET /v1/…`), or the status. */
  readonly type: string;
  readonly text: string;
  /** Of an answer to a request: its HTTP status. */
  readonly status?: number;
}

/** What becomes of a message; undefined where nothing special does. */
export type Fate =
  /** It is lost. */
  | 'drop'
  /** It takes longer. Others overtake it, unless it is `inOrder`: then what is behind it on its channel waits for it. */
  | { readonly delayMs: number; readonly inOrder?: boolean }
  /** It waits until so many others of its way have passed. */
  | { readonly behind: number }
  | { readonly copies: number }
  /** It comes in its time, and once more so much later. */
  | { readonly againAfterMs: number }
  /** It comes as another. */
  | { readonly text: string }
  /** It never gets there: on its way up its sender is answered this, on its way down this comes in its place. */
  | { readonly answer: ExchangeAnswer }
  | undefined;

export type Rule = (message: Transit) => Fate;

export interface TraceLine extends Transit {
  /** When it was sent, milliseconds since the world began. */
  readonly at: number;
  readonly dropped: boolean;
  /** What a rule made of it; undefined where none did. */
  readonly fate: Fate;
}

/** One way of one connection: what goes in order arrives no sooner than what was sent before it. */
export class Lane {
  #last = 0;

  /** When a message arrives that would arrive at `soonest` if it were alone, on the world's clock. */
  arrival(soonest: number): number {
    this.#last = Math.max(this.#last, soonest);
    return this.#last;
  }
}

/** What becomes of a message at the ends of its way. */
export interface Arrival {
  /** Absent for a request, which has a connection of its own. */
  readonly lane?: Lane;
  arrive(text: string): void;
  /** It never arrives. */
  lost?(): void;
  /** Something else answers it, or comes in its place. */
  answered?(answer: ExchangeAnswer): void;
}

/** One way through the network from here to there, milliseconds. */
export const LATENCY_MS = 1;

/** What the ends of the network need of it. */
export interface Carrier {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Carries a message and records it. */
  carry(message: Transit, arrival: Arrival): void;
}

/** The text of what an exchange answers. */
export const textOf = ({ body }: ExchangeAnswer): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

/** A JSON text as its value; a text that is none as it is. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
