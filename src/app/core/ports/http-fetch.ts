/** The part of the browser's `fetch` that the app uses. */
export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>;
