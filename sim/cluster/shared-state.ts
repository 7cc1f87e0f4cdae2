/**
 * The port of the state that the nodes of a cluster share: keys with a life, and a bus. Each implementation passes one
 * contract suite (specs/contract/shared-state). Redis implements it for real nodes, and memory for nodes of one
 * process.
 *
 * Every operation works on one key, so that the keys may be on several servers. Every operation rejects with
 * {@link StateUnreachable} when the servers do not answer in time.
 */

/** The shared state did not answer in time, or refused the connection. */
export class StateUnreachable extends Error {
  override readonly name = 'StateUnreachable';
}

/** A change of the fields of one key. All or nothing. */
export interface FieldChange {
  /** Makes the change only while this field has this value. Null: only while the field is absent. */
  readonly where?: { readonly field: string; readonly is: string | null };
  readonly set?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
  /** The life of the whole key from now on. Milliseconds. */
  readonly lifeMs: number;
}

/** The size of a token bucket, see `sim/exchange/limits/token-buckets.ts`. */
export interface SharedBudget {
  readonly burst: number;
  readonly perSecond: number;
}

/** The size of a window of counted points. */
export interface SharedWindow {
  /** The most points of a window. */
  readonly most: number;
  /** The length of a window, from its first point on. Milliseconds. */
  readonly lifeMs: number;
}

/** A numbered list of the newest entries. */
export interface SharedList {
  /** The number of the newest entry. 0 before the first. */
  readonly last: number;
  /** The kept entries, oldest first. The newest has the number `last`. */
  readonly entries: readonly string[];
}

export interface SharedState {
  /** Returns the value of a key. Null for an absent or expired key. */
  get(key: string): Promise<string | null>;
  /** Sets a key. @param lifeMs - the time after which the key is absent again. */
  set(key: string, value: string, lifeMs: number): Promise<void>;
  /** Sets a key that is absent. Returns null then, and the value of a key that is there. */
  setAbsent(key: string, value: string, lifeMs: number): Promise<string | null>;
  remove(keys: readonly string[]): Promise<void>;
  /** Prolongs the life of keys of any kind. Returns for each whether it was there. */
  prolong(keys: readonly string[], lifeMs: number): Promise<readonly boolean[]>;

  /** Returns the fields of a key. Empty for an absent one. */
  fields(key: string): Promise<ReadonlyMap<string, string>>;
  /** Changes the fields of a key. Returns whether the condition held. A key without fields is absent. */
  changeFields(key: string, change: FieldChange): Promise<boolean>;

  /**
   * Takes points of the token bucket of a key, also more than it has. At most a burst is then owed. Returns the
   * milliseconds until the bucket has a point. 0 when it has one. The time is that of the state.
   */
  charge(key: string, budget: SharedBudget, points: number): Promise<number>;

  /**
   * Counts points of a key in a window. Returns 0 when they are counted. Otherwise counts nothing, and returns the
   * milliseconds until the window ends. Negative points are returned to the window.
   */
  count(key: string, window: SharedWindow, points: number): Promise<number>;

  /** Returns the wall clock of the state, which all nodes can compare. Milliseconds since the epoch. */
  time(): Promise<number>;

  /** Appends entries to a list, and drops all but the newest `most`. Returns the number of the last entry. */
  append(key: string, entries: readonly string[], most: number, lifeMs: number): Promise<number>;
  list(key: string): Promise<SharedList>;

  /**
   * Sends a text to the subscribers of a channel, this node included. Resolves when the state has accepted it. A
   * subscriber without a connection at that moment does not receive it.
   */
  publish(channel: string, text: string): Promise<void>;
  /** Calls `receive` with each text of a channel. Resolves when the subscription holds, with its end. */
  subscribe(channel: string, receive: (text: string) => void): Promise<() => void>;

  /** Whether the last contact succeeded. */
  readonly isReachable: boolean;
  /**
   * Calls the listener when the state becomes unreachable, and when it is reachable again with all subscriptions. Texts
   * that were published meanwhile are lost. Returns the function that removes the listener.
   */
  onReachable(listener: (isReachable: boolean) => void): () => void;
  /** Closes the connections. Operations in progress reject. */
  close(): Promise<void>;
}
