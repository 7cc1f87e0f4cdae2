/**
 * Returns the shortest part of a list that still breaks what the whole list breaks. It removes halves first, then
 * ever smaller pieces, at last single items.
 * @param breaks - returns whether a shorter list still does.
 */
export async function shrink<T>(
  items: readonly T[],
  breaks: (items: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = items;
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length;) {
      const shorter = [...kept.slice(0, at), ...kept.slice(at + size)];
      if (shorter.length > 0 && (await breaks(shorter))) kept = shorter;
      else at += size;
    }
  }
  return kept;
}
