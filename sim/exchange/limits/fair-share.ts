/**
 * Returns the largest share for each of several parts whose sum stays within `total`. A part that is smaller than the
 * share leaves the rest to larger parts.
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
