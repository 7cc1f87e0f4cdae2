/**
 * Returns the users of several pages without duplicates. A user may be on two pages when the list changes between the
 * requests.
 */
export function eachOnce<User extends { readonly u_id: string }>(people: readonly User[]): readonly User[] {
  const seen = new Set<string>();
  return people.filter(({ u_id }) => !seen.has(u_id) && seen.add(u_id));
}

/** Returns the list with the item at `from` moved to `to`. */
export function movedTo<T>(all: readonly T[], from: number, to: number): readonly T[] {
  const rest = all.filter((_, place) => place !== from);
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to)];
}
