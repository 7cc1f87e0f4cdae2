/**
 * The definition of a request to the product server. The server, the app, the gallery and the OpenAPI document use the
 * same definition.
 */
import type * as v from 'valibot';

/** The users who may send a request: anybody, signed-in users, or one kind of user. */
export type Access = 'anybody' | 'user' | 'man' | 'woman';

/** A record of texts, which a path or a query consists of. A schema may convert them. */
type OfText = v.GenericSchema<Record<string, unknown>, unknown>;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path. Parts in braces are parameters: `/users/{u_id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** The description, one sentence. */
  readonly about: string;
  /** The schema of the query, from text to values. An unknown name is refused. */
  readonly query?: OfText;
  readonly body?: v.GenericSchema;
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
}

/** A file that the server has received. */
export interface SentFile {
  /** The media type in the request, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Returns a table of endpoints with the literal type of each. */
export const endpoints = <const Table extends Readonly<Record<string, Endpoint>>>(table: Table): Table => table;

/** The names of the parameters of a path. */
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;

export type ParametersOf<E extends Endpoint> = Readonly<Record<ParameterOf<E['path']>, string>>;

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
  readonly params: ParametersOf<E>;
} & Given<'query', E['query'], E['query'] extends v.GenericSchema ? v.InferOutput<E['query']> : never> &
  Given<'body', E['body'], E['body'] extends v.GenericSchema ? v.InferOutput<E['body']> : never> &
  GivenFile<E, SentFile> &
  (E['header'] extends string ? { readonly header: string | null } : unknown) &
  (E['isIdempotent'] extends true ? { readonly key: string } : unknown);

export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>;
