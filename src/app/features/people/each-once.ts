/** People of several pages, each once: whoever came or went between two pages may be on both. */
export function eachOnce<Somebody extends { readonly u_id: string }>(people: readonly Somebody[]): readonly Somebody[] {
  const seen = new Set<string>();
  return people.filter(({ u_id }) => !seen.has(u_id) && seen.add(u_id));
}
