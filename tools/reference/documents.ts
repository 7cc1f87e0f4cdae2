/** The generated documents, with their generators. */
import { errorsDocument } from './errors.ts';
import { inputBudgetsDocument } from './input-budgets.ts';
import { adminOpenApiText, callingOpenApiText, openApiText } from './open-api.ts';
import { scenariosDocument } from './scenarios.ts';
import { statesDocument } from './states.ts';

export interface GeneratedDocument {
  readonly path: string;
  /** Returns the document. A document with other text beside its generated parts keeps that text. */
  make(written: string): string;
}

export const GENERATED_DOCUMENTS: readonly GeneratedDocument[] = [
  { path: 'docs/states.md', make: statesDocument },
  { path: 'docs/errors.md', make: errorsDocument },
  { path: 'docs/input-budgets.md', make: inputBudgetsDocument },
  { path: 'docs/scenarios.md', make: scenariosDocument },
  { path: 'docs/openapi.json', make: openApiText },
  { path: 'docs/openapi-admin.json', make: adminOpenApiText },
  { path: 'docs/openapi-calling.json', make: callingOpenApiText },
];
