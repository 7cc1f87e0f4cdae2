/**
 * What Stryker leaves alone by itself, and what a table of times or of errors is made of: numbers, and everything that is
 * declared `as const`. Its list of mutators is not among its public names; that is why its version is exact.
 */
import { allMutators } from '../../node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';

/** What is looked at here of a node of Babel's syntax tree. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly key?: Node;
  readonly expression?: Node;
  readonly typeAnnotation?: { readonly typeName?: { readonly name?: string } };
}

interface Path {
  readonly node: Node;
  readonly parent?: Node;
  replaceWith(node: Node): void;
  traverse(visitor: Readonly<Record<string, (path: Path) => void>>): void;
}

/** Makes a number one larger, and one smaller; a number that names a property is no value. */
function offByOne({ node, parent }: Path): Node[] {
  if (node.type !== 'NumericLiteral' || parent?.key === node) return [];
  const value = Number(node.value);
  return [value + 1, value - 1].map((wrong) => ({ type: node.type, value: wrong }));
}

/** Takes `as const` away before anything is looked at: to Stryker it is a type, and so is all that stands before it. */
function unwrapConstants(path: Path): Node[] {
  if (path.node.type !== 'Program') return [];
  path.traverse({
    TSAsExpression: (assertion) => {
      const { expression, typeAnnotation } = assertion.node;
      if (expression && typeAnnotation?.typeName?.name === 'const') assertion.replaceWith(expression);
    },
  });
  return [];
}

export function mutateLiterals(): void {
  const mutators: { readonly name: string; mutate(path: Path): Iterable<Node> }[] = allMutators;
  mutators.push({ name: 'ConstAssertion', mutate: unwrapConstants }, { name: 'NumericLiteral', mutate: offByOne });
}
