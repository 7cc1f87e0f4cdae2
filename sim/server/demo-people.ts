import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { productPerson, type ProductPerson } from '../product/product-person.ts';

const FILE = join('fixtures', 'users.json');

/**
 * Returns the users of the demo world: fixtures/users.json of the package, from the sources and from the build alike.
 */
export function demoPeople(): ProductPerson[] {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const file = join(folder, FILE);
    if (existsSync(file)) return v.parse(v.array(productPerson), JSON.parse(readFileSync(file, 'utf8')));
    if (dirname(folder) === folder) throw new Error(`${FILE} is missing: the package is incomplete. Install it again.`);
  }
}
