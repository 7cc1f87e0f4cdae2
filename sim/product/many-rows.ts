/** Work on many rows in small parts. */

/** The number of values in one statement. Databases have a limit. */
const VALUES = 200;

/** Splits values into chunks in their order. Default: as many as a statement takes. */
export function chunksOf<Value>(values: readonly Value[], size = VALUES): Value[][] {
  const chunks: Value[][] = [];
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size));
  return chunks;
}

/** Resolves in the next turn of the event loop. SQLite answers within the turn, so a loop over many rows must yield. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
