/** Returns the list with the item at `from` moved to `to`. */
export function movedTo<T>(all: readonly T[], from: number, to: number): readonly T[] {
  const rest = all.filter((_, place) => place !== from);
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to)];
}
