/**
 * Returns the largest share that each of several parts may take, so that all of them together take no more than `total`. Parts that
 * are smaller than the share take what they are, and leave the rest to the larger ones.
 */
export function fairShare(sizes: readonly number[], total: number): number {
  let [left, parts] = [total, sizes.length];
  for (const size of sizes.toSorted((one, other) => one - other)) {
    if (size * parts > left) return Math.floor(left / parts);
    left -= size;
    parts -= 1;
  }
  return total;
}
