/** The part of the validator that the tests use. Its own types need those of the optional peer packages of Ajv. */
declare module '@seriousme/openapi-schema-validator' {
  export class Validator {
    /** The version of OpenAPI that the document has. */
    readonly version: string;
    /** Validates a document, which it changes. */
    validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
  }
}
