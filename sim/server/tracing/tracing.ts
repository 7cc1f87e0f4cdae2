import type { NodeLink } from '../../cluster/node-link.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import type { ServerInstance } from '../server-instance.ts';

/** The traces of a server (docs/running.md). No span has an id of a user, an address or a text of a client. */
export interface Tracing {
  /** Runs the answer to a request in a span. */
  http(
    request: Pick<HttpRequest, 'method' | 'path'>,
    answer: () => HttpResponse | Promise<HttpResponse>,
  ): Promise<HttpResponse>;
  /** Returns the instance with a span for each command of its devices, and for each call. */
  instance(instance: ServerInstance): ServerInstance;
  /** Adds spans to the questions between nodes, which carry the context of their trace. Returns the same link. */
  link<Of extends NodeLink>(link: Of): Of;
  /** Sends the last spans. Never rejects. */
  close(): Promise<void>;
}
