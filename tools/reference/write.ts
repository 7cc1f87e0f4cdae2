/** `npm run docs`: writes the generated documents. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { libraryDeclarations } from '../package/library-declarations.ts';
import { API_PATH, apiDocument, REACT_PATH, reactDocument } from './api.ts';
import { GENERATED_DOCUMENTS } from './documents.ts';

const { core, react } = libraryDeclarations();
const references = [
  { path: API_PATH, make: () => apiDocument(core) },
  { path: REACT_PATH, make: () => reactDocument(react) },
];
for (const { path, make } of [...GENERATED_DOCUMENTS, ...references]) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, make(existsSync(path) ? readFileSync(path, 'utf8') : ''));
  console.log(`wrote ${path}`);
}
