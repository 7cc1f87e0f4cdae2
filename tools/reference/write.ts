/** `npm run docs`: writes the generated documents. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { libraryDeclarations } from '../package/library-declarations.ts';
import { API_PATH, apiDocument } from './api.ts';
import { GENERATED_DOCUMENTS } from './documents.ts';

const api = { path: API_PATH, make: () => apiDocument(libraryDeclarations()) };
for (const { path, make } of [...GENERATED_DOCUMENTS, api]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, make(existsSync(path) ? readFileSync(path, 'utf8') : ''));
  console.log(`wrote ${path}`);
}
