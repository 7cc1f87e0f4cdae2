import type { EventFrame, UnreadEvent } from '../../protocol/envelope.ts';

/** The recovery of one consumer's signals, after the channel was closed or a signal was lost (§4). */
export interface SignalRecovery {
  /** The name of what is recovered, in the plural. Unique among the consumers, and part of the log. */
  readonly kind: string;
  /** Returns the ids that are live here at this moment. */
  liveIds(): readonly string[];
  /** Requests the ids that have not ended at the exchange. */
  fetchUnended(): Promise<readonly string[]>;
  /** Requests the signals that the exchange keeps for these ids. */
  fetchMissed(ids: readonly string[]): Promise<readonly EventFrame[]>;
  /** Returns the id that a signal is about. Undefined for a signal of another consumer. */
  idOf(frame: EventFrame): string | undefined;
  /** Returns whether the id of a signal is over for this device after it. */
  isEnd(frame: EventFrame): boolean;
  /** Handles a live id that the exchange does not know (D12). */
  unknown(id: string): void;
}

/** A part of the client with signals of its own, such as direct calls. */
export interface SignalConsumer {
  /** Handles a signal, from any route. Returns false for a signal of another consumer, which it does not handle. */
  receive(frame: EventFrame): boolean;
  /** Absent when signals that were missed are not fetched. */
  readonly recovery?: SignalRecovery;
}

/**
 * The consumer of the events of rooms. Their payloads are read after the code of rooms was loaded, and no missed events
 * are fetched: a room is read again as a whole.
 */
export interface RoomSignals {
  /** Handles an event of a room. */
  receive(frame: UnreadEvent): void;
  /** Reads the rooms of this client again, after the channel was closed. */
  restored(): void;
  /** Returns whether this client is in a room. Its channel opens again before the channels of clients without a call. */
  isLive(): boolean;
}

/** Passes a signal to the consumer that owns it, whichever route brought it. A signal that none owns is ignored. */
export function dispatchSignal(consumers: readonly SignalConsumer[], frame: EventFrame): void {
  consumers.some((consumer) => consumer.receive(frame));
}

/** Returns the recoveries of consumers. */
export const recoveriesOf = (consumers: readonly SignalConsumer[]): SignalRecovery[] =>
  consumers.flatMap(({ recovery }) => recovery ?? []);
