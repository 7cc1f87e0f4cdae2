/**
 * The port through which the product sends events to open pages. Each implementation passes one contract suite
 * (specs/contract/product). Memory implements it for one node, and the shared state of a cluster for several.
 */
import type { EventsOpened } from '../../src/protocol/product/event-frames.ts';
import type { ProductEvent } from '../../src/protocol/product/events.ts';

/** An event with its number in the stream of a user, from 1. */
export interface EventFrame {
  readonly seq: number;
  readonly event: ProductEvent;
}

/** Sends one message to a page: a frame, or several consecutive frames. */
export type SendFrames = (message: EventsOpened | EventFrame | readonly EventFrame[]) => void;

/** An event and the users who receive it. */
export interface Publication {
  readonly uIds: Iterable<string>;
  readonly event: ProductEvent;
}

/** Called after a page went on with its stream, with the users that its user follows. */
export type ResumedListener = (uId: string, followed: readonly string[]) => void;

/** Sends events to connected users, and missed events to users who reconnect soon. No method throws. */
export interface EventHub {
  /**
   * Sends the events of this user, after a frame with the number from which they begin.
   *
   * @param after - the last event that the page knows, `{stream}.{seq}`. Null for a page that knows none.
   * @returns the function that unsubscribes.
   */
  subscribe(uId: string, after: string | null, send: SendFrames): () => void;
  /** Returns whether a page of this user is open, at any node. */
  isConnected(uId: string): boolean;
  /** Counts the open pages of a user, at all nodes. */
  pagesOf(uId: string): number;
  /** Returns whether events of this user are sent or kept. It may be true for a user who left longer ago. */
  reaches(uId: string): boolean;
  /** Sends an event to those of the users who are connected, and keeps it for those who left recently. */
  publish(uIds: Iterable<string>, event: ProductEvent): void;
  /** Sends several events in their order. One user receives them in one message. */
  publishAll(all: readonly Publication[]): void;
  /** Sends events that each node publishes to the pages at this node. Each page receives them once. */
  publishHere(all: readonly Publication[]): void;
  /**
   * Calls the listener when a page resumes its stream without the events of {@link publishHere} that it missed. Returns
   * the function that removes it.
   */
  onResumed(listener: ResumedListener): () => void;
  /** Subscribes a user with a connected page to changes of other users. Does nothing without a connected page. */
  follow(uId: string, others: Iterable<string>): void;
  /** Returns the users with a page at this node who follow this user. */
  followersOf(uId: string): string[];
  /** Resolves when all published events are sent, as far as possible. Default: {@link publish} sends at once. */
  settled?(): Promise<void>;
}

/** The time for which the events of an absent user are kept. Milliseconds. */
export const KEPT_MS = 2 * 60_000;
/** The most events that are kept of one user. */
export const KEPT_EVENTS = 200;
