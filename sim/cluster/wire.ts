/** The messages of the bus. They come from other nodes, perhaps of another version, so they are checked. */
import * as v from 'valibot';

const node = v.pipe(v.string(), v.regex(/^n[\da-z]{1,32}$/));
const sequence = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const row = v.tuple([v.string(), v.string(), v.nullable(v.string())]);

/** A change of one entry of a table: the table, the key, and the value. Null removes the entry. */
export type Row = v.InferOutput<typeof row>;

const head = { from: node, seq: sequence };

/** A message to all nodes. `seq` numbers those of its sender from 1. */
export const toAll = v.variant('kind', [
  v.object({ kind: v.literal('rows'), ...head, rows: v.array(row) }),
  v.object({ kind: v.literal('message'), ...head, topic: v.string(), body: v.unknown() }),
  /**
   * A sign of life. `seq` is the number of the last message to all, and `sent` has that of the last message to each
   * node. So a receiver notices a lost message.
   */
  v.object({ kind: v.literal('beat'), ...head, isNew: v.boolean(), sent: v.record(v.string(), sequence) }),
  v.object({ kind: v.literal('bye'), ...head }),
]);
export type ToAll = v.InferOutput<typeof toAll>;

/** A message to one node. `seq` numbers those from its sender to this node, from 1. 0: it is not numbered. */
export const toOne = v.variant('kind', [
  v.object({ kind: v.literal('message'), ...head, topic: v.string(), body: v.unknown() }),
  /** Asks for all rows of the receiver. */
  v.object({ kind: v.literal('want rows'), ...head }),
  /** All rows of the sender, after its message to all of the number `upTo`. */
  v.object({ kind: v.literal('all rows'), ...head, upTo: sequence, rows: v.array(row) }),
  v.object({ kind: v.literal('question'), ...head, id: sequence, topic: v.string(), body: v.unknown() }),
  v.object({ kind: v.literal('answer'), ...head, id: sequence, isDone: v.boolean(), body: v.unknown() }),
]);
export type ToOne = v.InferOutput<typeof toOne>;

/** Returns a message that was read. Null for a text that is none. */
export function readMessage<Schema extends typeof toAll | typeof toOne>(
  schema: Schema,
  text: string,
): v.InferOutput<Schema> | null {
  try {
    const read = v.safeParse(schema, JSON.parse(text));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

/** Returns whether a text may be the name of a node. */
export const isNodeName = (text: string): boolean => v.is(node, text);
