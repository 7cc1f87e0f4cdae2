import type { IncomingMessage } from 'node:http';

/** The path and query of a request. */
export interface Target {
  /** The path as the client sent it, its segments encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Reads the target of a request. It is no URL yet: `//` and the like are paths here, and never throw. */
export function targetOf({ url = '/' }: Pick<IncomingMessage, 'url'>): Target {
  const at = url.indexOf('?');
  return {
    path: at < 0 ? url : url.slice(0, at),
    query: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
  };
}
