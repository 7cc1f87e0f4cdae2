import type { FetchPort } from '../fetch.ts';

/** Returns requests by `fetch`, without cookies and caches: the session is in a header. */
export function browserFetch(): FetchPort {
  return async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      credentials: 'omit',
      cache: 'no-store',
      // The target of a redirect must never see the session token.
      redirect: 'manual',
    });
    // A page learns only that there was a redirect. Node learns its status.
    const redirected = response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    return { status: response.status, redirected, text: () => response.text() };
  };
}
