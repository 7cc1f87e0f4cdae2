/** Fails when a file in a folder of sim/product takes all parts of the product. The file has to name the parts that it needs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { CheckOutcome } from './outcome.ts';

/** The folder of the areas. The files directly in it, which wire the areas, may take all parts. */
const PRODUCT = 'sim/product';
const PARTS = 'ProductParts';

/** Returns the lines of a source where the type stands without `Pick`. */
function bareLines(file: string, source: string): number[] {
  const { program } = parseSync(file, source);
  const picked = new Set<number>();
  const lines: number[] = [];
  new Visitor({
    TSTypeReference({ typeName, typeArguments, start }) {
      if (typeName.type !== 'Identifier') return;
      const [first] = typeArguments?.params ?? [];
      if (typeName.name === 'Pick' && first) picked.add(first.start);
      if (typeName.name === PARTS && !picked.has(start)) lines.push(source.slice(0, start).split('\n').length);
    },
  }).visit(program);
  return lines;
}

function filesOfAreas(root: string): string[] {
  const product = join(root, PRODUCT);
  if (!existsSync(product)) return [];
  const names = readdirSync(product, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /[\\/].*\.ts$/.test(name))
    .map((name) => `${PRODUCT}/${name}`)
    .toSorted();
}

export function checkParts(root: string): CheckOutcome {
  const files = filesOfAreas(root);
  return {
    looked: `${files.length} files`,
    faults: [
      ...(files.length === 0 ? [`no file in a folder of ${PRODUCT}: nothing was checked`] : []),
      ...files.flatMap((file) =>
        bareLines(file, readFileSync(join(root, file), 'utf8')).map(
          (line) => `${file}:${line}: takes all parts of the product: name those that it needs by Pick<${PARTS}, ...>`,
        ),
      ),
    ],
  };
}
