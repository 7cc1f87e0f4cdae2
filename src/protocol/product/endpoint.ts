/** How one request to the product server is told: once, for the server, the app, the gallery's answers and the OpenAPI document. */
import type * as v from 'valibot';

/** Who may ask: anybody, whoever is signed in, or one kind of user alone. */
export type Access = 'anybody' | 'user' | 'man' | 'woman';

/** Text, as all of a path or a query is; a schema may make more of it. */
type OfText = v.GenericSchema<Record<string, unknown>, unknown>;

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Parts in braces are parameters: `/users/{u_id}`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** One sentence. */
  readonly about: string;
  /** From text to values. A name that the schema does not know is refused. */
  readonly query?: OfText;
  readonly body?: v.GenericSchema;
  /** The body is no JSON but a file, of one of these media types. */
  readonly takes?: readonly string[];
  /** The name of a header that says more about the request, where a client sends it. */
  readonly header?: Lowercase<string>;
  readonly answer: v.GenericSchema;
  /** It moves money, and wants an `Idempotency-Key`: a second request of the same key changes nothing and has the first one's answer. */
  readonly isIdempotent?: true;
}

/** A file, as a server has received it. */
export interface SentFile {
  /** As the request names it, without parameters. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** Keeps the type of each endpoint of a table as it is written. */
export const endpoints = <const Table extends Readonly<Record<string, Endpoint>>>(table: Table): Table => table;

/** The names of the parameters of a path. */
type ParameterOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParameterOf<Rest> : never;

export type ParametersOf<E extends Endpoint> = Readonly<Record<ParameterOf<E['path']>, string>>;

type GivenFile<E extends Endpoint, File> = E['takes'] extends readonly string[] ? { readonly body: File } : unknown;

type Given<Part extends string, Schema, Value> = Schema extends v.GenericSchema
  ? { readonly [Name in Part]: Value }
  : unknown;

/** What a client gives for a request. */
export type AskedWith<E extends Endpoint> = (ParameterOf<E['path']> extends never
  ? unknown
  : { readonly params: ParametersOf<E> }) &
  Given<'query', E['query'], E['query'] extends v.GenericSchema ? v.InferInput<E['query']> : never> &
  Given<'body', E['body'], E['body'] extends v.GenericSchema ? v.InferInput<E['body']> : never> &
  GivenFile<E, Blob> &
  (E['header'] extends string ? { readonly header?: string | null } : unknown) &
  (E['isIdempotent'] extends true ? { readonly key: string } : unknown);

/** What the server has read of a request. */
export type ReadFrom<E extends Endpoint> = {
  readonly params: ParametersOf<E>;
} & Given<'query', E['query'], E['query'] extends v.GenericSchema ? v.InferOutput<E['query']> : never> &
  Given<'body', E['body'], E['body'] extends v.GenericSchema ? v.InferOutput<E['body']> : never> &
  GivenFile<E, SentFile> &
  (E['header'] extends string ? { readonly header: string | null } : unknown) &
  (E['isIdempotent'] extends true ? { readonly key: string } : unknown);

export type AnswerOf<E extends Endpoint> = v.InferOutput<E['answer']>;
