/** Messages in transit through the virtual network. */
import type { Arrival } from '../faults/fault-engine.ts';
import type { Fate, Message } from '../faults/message.ts';
import type { VirtualClock } from './clock.ts';
import type { ExchangeDoor } from './exchange-door.ts';

export interface TraceLine extends Message {
  /** When it was sent, in milliseconds since the world began. */
  readonly at: number;
  readonly dropped: boolean;
  /** The decision of a rule. Undefined if no rule applied. */
  readonly fate: Fate;
}

/** The latency of one way through the network. Milliseconds. */
export const LATENCY_MS = 1;

/** The part of the network that its ends use. */
export interface Carrier {
  readonly clock: VirtualClock;
  readonly door: ExchangeDoor;
  /** Carries a message and records it. */
  carry(message: Message, arrival: Arrival): void;
}
