/** A database takes only so many values in one statement. */
const VALUES = 200;

/** The values in their order, as many at once as a statement takes. */
export function chunksOf<Value>(values: readonly Value[]): Value[][] {
  const chunks: Value[][] = [];
  for (let at = 0; at < values.length; at += VALUES) chunks.push(values.slice(at, at + VALUES));
  return chunks;
}
