/** The link of one node of a cluster to the others, as the exchange and the product use it. */
import type { SharedState } from './shared-state.ts';

/** The name of a node. Each start of a server has another one. */
export type NodeName = string;

/**
 * A table in which each node writes its own entries and reads those of all nodes. Every node has a copy of it, so a
 * read answers at once. A copy is up to date within a message of the bus. The entries of a dead node disappear.
 */
export interface SharedTable {
  /** Sets an entry of this node. Null removes it. */
  set(key: string, value: string | null): void;
  /** Returns the entries of the other nodes under a key, by node, in the order of the nodes' names. */
  elsewhere(key: string): ReadonlyMap<NodeName, string>;
  /** Returns the keys with an entry of another node. */
  keysElsewhere(): Iterable<string>;
  /** Calls the listener after a change of the entries of other nodes. Returns the function that removes it. */
  onChange(listener: (key: string, node: NodeName) => void): () => void;
}

/**
 * The answer to a question is not possible now, since the answering part starts or stops. The asking node gets no answer:
 * it repeats the question, until this node answers or has left.
 */
export class NotNow extends Error {
  override readonly name = 'NotNow';
}

/** Answers a question of another node. An error reaches the asking node as a rejection without details. */
export type Answerer = (question: unknown, from: NodeName) => unknown;

export interface NodeLink {
  /** The name of this node. */
  readonly node: NodeName;
  readonly state: SharedState;
  /** The other nodes that are alive, in the order of their names. */
  readonly others: readonly NodeName[];
  /** Returns whether a node is alive, as far as this one knows. True for this node. */
  isAlive(node: NodeName): boolean;
  /** Calls the listener when another node appears, and when it has died or left. */
  onNode(listener: (node: NodeName, isAlive: boolean) => void): () => void;
  /**
   * Calls the listener when messages of a node to this one are lost, and were not repeated. Returns the function that
   * removes it.
   */
  onMissed(listener: (node: NodeName) => void): () => void;
  /**
   * Calls the listener when the shared state has lost its keys, so that each node writes again what it owns. Returns the
   * function that removes it.
   */
  onLost(listener: () => void): () => void;
  /** Returns the table of this name. One name has one table. */
  table(name: string): SharedTable;
  /** Sends a message to all other nodes. A node without contact misses it. */
  broadcast(topic: string, message: unknown): void;
  /** Sends a message to one node. A node without contact misses it, and resynchronizes later. */
  send(node: NodeName, topic: string, message: unknown): void;
  /** Calls `receive` with each message of a topic. Values come from JSON, and are checked by the receiver. */
  receive(topic: string, receive: (message: unknown, from: NodeName) => void): () => void;
  /** Asks a node. Rejects when it does not answer within the limit, or fails. A question may arrive twice. */
  ask(node: NodeName, topic: string, question: unknown): Promise<unknown>;
  answer(topic: string, answerer: Answerer): () => void;
}
