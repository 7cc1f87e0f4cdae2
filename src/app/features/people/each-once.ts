/**
 * Returns the users of several pages without duplicates. A user may be on two pages when the list changes between the
 * requests.
 */
export function eachOnce<User extends { readonly u_id: string }>(people: readonly User[]): readonly User[] {
  const seen = new Set<string>();
  return people.filter(({ u_id }) => !seen.has(u_id) && seen.add(u_id));
}
