/**
 * Mutators for numbers and for values declared `as const`, which Stryker ignores. Tables of times and errors consist of
 * them. The list of mutators of Stryker is not public, so its version is exact.
 */
import { allMutators } from '../../node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';

/** The part of a syntax-tree node of Babel that is used here. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly key?: Node;
  readonly name?: string;
  readonly id?: Node;
  readonly expression?: Node;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly quasis?: readonly Node[];
  readonly typeAnnotation?: { readonly typeName?: { readonly name?: string } };
}

interface Path {
  readonly node: Node;
  readonly parent?: Node;
  readonly parentPath?: Path | null;
  replaceWith(node: Node): void;
  traverse(visitor: Readonly<Record<string, (path: Path) => void>>): void;
}

interface Mutator {
  readonly name: string;
  mutate(path: Path): Iterable<Node>;
}

/** Adds one to a number, and subtracts one. A number that names a property is not a value. */
function offByOne({ node, parent }: Path): Node[] {
  if (node.type !== 'NumericLiteral' || parent?.key === node) return [];
  const value = Number(node.value);
  return [value + 1, value - 1].map((wrong) => ({ type: node.type, value: wrong }));
}

/** Removes `as const` first: Stryker treats it, and the expression before it, as a type. */
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

/** Returns whether a call writes to a log: `log.warn(...)`, `core.log.info(...)`, `this.#with.log.error(...)`. */
function isLogged({ type, callee }: Node): boolean {
  const written = type === 'CallExpression' && callee?.type === 'MemberExpression' ? callee.object : undefined;
  return nameOf(written) === 'log';
}

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'MemberExpression' ? nameOf(node.property) : (node?.name ?? node?.id?.name);

/** Returns whether a text is a sentence: it has a space. Compared or sent texts have none. */
const isSentence = ({ type, value, quasis }: Node): boolean =>
  type === 'StringLiteral'
    ? String(value).includes(' ')
    : (quasis ?? []).some(({ value: part }) => (part as { readonly raw: string }).raw.includes(' '));

/** Returns whether a node is an argument of `new`, directly or in a field of an object. */
function isGivenToNew(path: Path | null | undefined): boolean {
  if (path?.node.type === 'ObjectProperty' || path?.node.type === 'ObjectExpression')
    return isGivenToNew(path.parentPath);
  return path?.node.type === 'NewExpression';
}

/**
 * Returns whether a node is only wording: a part of a log line, or the sentence of an error. A test that repeats
 * wording proves
 * nothing.
 */
function isWording({ node, parentPath }: Path): boolean {
  if (isSentence(node) && isGivenToNew(parentPath)) return true;
  for (let path = parentPath; path; path = path.parentPath) if (isLogged(path.node)) return true;
  return false;
}

/** Adds the mutators of literals, and excludes wording. */
export function mutateLiterals(): void {
  const mutators: Mutator[] = allMutators;
  for (const mutator of mutators) {
    const { mutate } = mutator;
    mutator.mutate = (path) => (isWording(path) ? [] : mutate.call(mutator, path));
  }
  mutators.push({ name: 'ConstAssertion', mutate: unwrapConstants }, { name: 'NumericLiteral', mutate: offByOne });
}
