/** A database takes only so many values in one statement. */
const VALUES = 200;

/** The values in their order, so many at once: by default as many as a statement takes. */
export function chunksOf<Value>(values: readonly Value[], size = VALUES): Value[][] {
  const chunks: Value[][] = [];
  for (let at = 0; at < values.length; at += size) chunks.push(values.slice(at, at + size));
  return chunks;
}
