/**
 * The definition of a request over HTTP. Both APIs, of the product and of the calling service, have a table of these
 * definitions. The router of the server, its clients and the OpenAPI documents use the same table.
 */
import type * as v from 'valibot';

/** A record of texts, which a path or a query consists of. A schema may convert them. */
type OfText = v.GenericSchema<Record<string, unknown>, unknown>;

/** An endpoint. `Access` names the permitted clients, and `Code` the codes of refusals. */
export interface Endpoint<Access extends string = string, Code extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path. Parts in braces are parameters: `/users/{u_id}`. */
  readonly path: `/${string}`;
  /** The clients that may send the request. */
  readonly access: Access;
  /** The description, one sentence. */
  readonly about: string;
  /** The schema of the parameters of the path. Default: any texts. */
  readonly params?: OfText;
  /** The schema of the query, from text to values. */
  readonly query?: OfText;
  readonly body?: v.GenericSchema;
  /** The schema of a body that the handler reads, since its refusals differ from those of other bodies. */
  readonly unreadBody?: v.GenericSchema;
  /** The media types of a body that is a file instead of JSON. */
  readonly takes?: readonly string[];
  /** The name of an optional header with more about the request. */
  readonly header?: Lowercase<string>;
  readonly answer: v.GenericSchema;
  /**
   * True for a request that moves money. It needs an `Idempotency-Key`. A second request with the same key changes
   * nothing and gets the first answer.
   */
  readonly isIdempotent?: true;
  /** The refusals of this endpoint by their HTTP status, besides those that its access and its schemas imply. */
  readonly errors?: Readonly<Partial<Record<number, readonly Code[]>>>;
}

/** A file that the server has received. */
export interface SentFile {
  /** The media type in the request, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Returns a table of endpoints with the literal type of each. */
export const endpoints = <const Table extends Readonly<Record<string, Endpoint>>>(table: Table): Table => table;

/** The names of the parameters of a path. Any text for a path that the compiler does not know. */
type ParameterOf<Path> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | ParameterOf<Rest>
    : never;

/** The parameters of a path, as a client writes them. */
type ParametersIn<Path> = Readonly<Record<ParameterOf<Path>, string>>;

/** Returns a path with its parameters, each encoded. */
export const filledPath = <const Path extends string>(path: Path, params: ParametersIn<Path>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: ParameterOf<Path>) => encodeURIComponent(params[name] ?? ''));

type ParametersOf<E extends Endpoint> = ParametersIn<E['path']>;

type GivenFile<E extends Endpoint, File> = E['takes'] extends readonly string[] ? { readonly body: File } : unknown;

type Given<Part extends string, Schema, Value> = Schema extends v.GenericSchema
  ? { readonly [Name in Part]: Value }
  : unknown;

/** The parameters that a client gives for a request. */
export type AskedWith<E extends Endpoint> = (ParameterOf<E['path']> extends never
  ? unknown
  : { readonly params: ParametersOf<E> }) &
  Given<'query', E['query'], E['query'] extends v.GenericSchema ? v.InferInput<E['query']> : never> &
  Given<'body', E['body'], E['body'] extends v.GenericSchema ? v.InferInput<E['body']> : never> &
  GivenFile<E, Blob> &
  (E['header'] extends string ? { readonly header?: string | null } : unknown) &
  (E['isIdempotent'] extends true ? { readonly key: string } : unknown);

/** The parameters that the server has read from a request. */
export type ReadFrom<E extends Endpoint> = {
  readonly params: E['params'] extends v.GenericSchema ? Readonly<v.InferOutput<E['params']>> : ParametersOf<E>;
} & Given<'query', E['query'], E['query'] extends v.GenericSchema ? v.InferOutput<E['query']> : never> &
  Given<'body', E['body'], E['body'] extends v.GenericSchema ? v.InferOutput<E['body']> : never> &
  GivenFile<E, SentFile> &
  Given<'body', E['unreadBody'], unknown> &
  (E['header'] extends string ? { readonly header: string | null } : unknown) &
  (E['isIdempotent'] extends true ? { readonly key: string } : unknown);

export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>;
