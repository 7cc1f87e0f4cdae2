/** Fails when docs/api.md is out of date, and when a public name or a member of one has no docstring. */
import type { PublicDeclarations } from '../package/public-declarations.ts';
import { API_PATH, apiDocument } from '../reference/api.ts';
import { checkGenerated } from './check-generated.ts';
import type { CheckOutcome } from './outcome.ts';

export function checkApi(root: string, readDeclarations: () => PublicDeclarations): CheckOutcome {
  let read: PublicDeclarations;
  try {
    read = readDeclarations();
  } catch (error) {
    return { looked: 'nothing', faults: [error instanceof Error ? error.message : String(error)] };
  }
  const { names, declarations } = read;
  const described = new Set(declarations.filter(({ doc }) => doc !== '').map(({ name }) => name));
  const silent = declarations.flatMap(({ name, members }) =>
    members.filter((member) => member.name !== '' && member.doc === '').map((member) => `${name}.${member.name}`),
  );
  return {
    looked: `${names.length} names`,
    faults: [
      ...(names.length === 0 ? ['the library exports no name: nothing was checked'] : []),
      ...[...names.filter(({ name }) => !described.has(name)).map(({ name }) => name), ...silent].map(
        (name) => `${name} is public and has no docstring`,
      ),
      ...checkGenerated(root, [{ path: API_PATH, make: () => apiDocument(read) }]).faults,
    ],
  };
}
