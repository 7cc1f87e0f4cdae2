/** Where coins are bought, with the path to come back to. */
export function depositPath(from: string): string {
  return `/purchase/deposit?${new URLSearchParams({ return: from }).toString()}`;
}

/** The path to go back to, of the query of a page; null where it names none within this app. */
export function wayBack(search: URLSearchParams): string | null {
  const path = search.get('return') ?? '';
  // Two slashes, of either kind, name another host.
  return /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : null;
}
