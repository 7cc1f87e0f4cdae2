/** An HTTP request, its admission and its response, as the server, the product and the exchange exchange them. */

/** An HTTP request without its body. */
export interface RequestHead {
  readonly method: string;
  /** The path, its parts still encoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address: IPv4, or the first 64 bits of IPv6. Empty for a request that did not come over a network. */
  readonly address: string;
}

export interface HttpRequest extends RequestHead {
  /** The parsed body. Undefined without one. */
  readonly body: unknown;
}

/** The body that the server accepts after a request head. */
export interface Admission {
  /** The largest body, bytes. 0: the server reads no body. */
  readonly maxBytes: number;
  /** The accepted media types: JSON, or those of files. */
  readonly mediaTypes: readonly string[];
}

export const JSON_TYPE = 'application/json';

/** A response: JSON, or text or bytes with their media type. */
export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
  /** The media type of a body that is text or bytes. Default: the body is sent as JSON. */
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
