/** Returns the path where the user buys coins, with the path to return to. */
export function depositPath(from: string): string {
  return `/purchase/deposit?${new URLSearchParams({ return: from }).toString()}`;
}

/** Returns the path to return to, from the query of a page. Returns null when it is not a path within this app. */
export function wayBack(search: URLSearchParams): string | null {
  const path = search.get('return') ?? '';
  // Two slashes or backslashes at the start would name another host.
  return /^\/(?![/\\])[^\s\\]*$/.test(path) ? path : null;
}
