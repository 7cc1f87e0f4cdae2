/**
 * Fails when docs/api.md or docs/react-api.md is out of date, and when a public name or a member of one has
 * no docstring.
 */
import type { LibraryDeclarations } from '../package/library-declarations.ts';
import type { PublicDeclarations } from '../package/public-declarations.ts';
import { API_PATH, apiDocument, REACT_PATH, reactDocument } from '../reference/api.ts';
import { checkGenerated } from './check-generated.ts';
import type { CheckOutcome } from './outcome.ts';

/** Returns the names of a module that have no docstring. */
function silentNames({ names, declarations }: PublicDeclarations): string[] {
  const described = new Set(declarations.filter(({ doc }) => doc !== '').map(({ name }) => name));
  const silent = declarations.flatMap(({ name, members }) =>
    members.filter((member) => member.name !== '' && member.doc === '').map((member) => `${name}.${member.name}`),
  );
  return [...names.filter(({ name }) => !described.has(name)).map(({ name }) => name), ...silent];
}

export function checkApi(root: string, readDeclarations: () => LibraryDeclarations): CheckOutcome {
  let read: LibraryDeclarations;
  try {
    read = readDeclarations();
  } catch (error) {
    return { looked: 'nothing', faults: [error instanceof Error ? error.message : String(error)] };
  }
  const { core, react } = read;
  const documents = [
    { path: API_PATH, make: () => apiDocument(core) },
    { path: REACT_PATH, make: () => reactDocument(react) },
  ];
  return {
    looked: `${core.names.length} names, and ${react.names.length} of the React binding`,
    faults: [
      ...(core.names.length === 0 || react.names.length === 0 ? ['a module exports no name: nothing was checked'] : []),
      ...[core, react].flatMap(silentNames).map((name) => `${name} is public and has no docstring`),
      ...checkGenerated(root, documents).faults,
    ],
  };
}
