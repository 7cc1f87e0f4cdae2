/** The comparison of responses with an OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';

const response = v.looseObject({
  $ref: v.optional(v.string()),
  content: v.optional(v.object({ 'application/json': v.object({ schema: v.looseObject({}) }) })),
});

const documentShape = v.looseObject({
  openapi: v.string(),
  paths: v.record(
    v.string(),
    v.record(v.string(), v.looseObject({ operationId: v.string(), responses: v.record(v.string(), response) })),
  ),
  components: v.looseObject({ responses: v.record(v.string(), response), schemas: v.record(v.string(), v.unknown()) }),
});

/** Reads an OpenAPI document, and compares responses with it. */
export class Documented {
  readonly #document: v.InferOutput<typeof documentShape>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  constructor(document: unknown) {
    this.#document = v.parse(documentShape, document);
  }

  /** The names of the operations with their addresses: `POST /auth/login`. */
  get operations(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.#document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]): [string, string] => [
          operationId,
          `${method.toUpperCase()} ${path}`,
        ]),
      ),
    );
  }

  /** Returns whether the document names this status for a request, besides its default. */
  names(operationId: string, status: number): boolean {
    return Object.hasOwn(this.#responses(operationId), status);
  }

  /** Returns how a response differs from the document. Empty for a documented response. */
  faults(operationId: string, { status, body }: { readonly status: number; readonly body: unknown }): unknown[] {
    const { components } = this.#document;
    const responses = this.#responses(operationId);
    const named = responses[String(status)] ?? responses['default'];
    if (!named) return [`the status ${status} of ${operationId} is not documented`];
    const { content } =
      named.$ref === undefined ? named : (components.responses[named.$ref.split('/').at(-1) ?? ''] ?? {});
    if (!content) return [`the status ${status} of ${operationId} has no content`];
    // References begin at the root of the schema.
    const holds = this.#ajv.compile({ ...content['application/json'].schema, components });
    return holds(JSON.parse(JSON.stringify(body))) ? [] : (holds.errors ?? ['no reason']);
  }

  #responses(operationId: string) {
    const all = Object.values(this.#document.paths).flatMap((methods) => Object.values(methods));
    return all.find((one) => one.operationId === operationId)?.responses ?? {};
  }
}
