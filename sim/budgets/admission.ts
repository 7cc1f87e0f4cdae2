/** What the server decides about a request before it reads the body. */

/** An HTTP request without its body. */
export interface RequestHead {
  readonly method: string;
  /** The path, its parts still encoded, without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's address: IPv4, or the first 64 bits of IPv6. Empty where the request came by no network. */
  readonly address: string;
}

/** A body that may follow the head. */
export interface Admission {
  /** The largest body, bytes; 0 where none is read. */
  readonly maxBytes: number;
  /** Media types that are read: JSON, or those of files. */
  readonly mediaTypes: readonly string[];
}

export const JSON_TYPE = 'application/json';
