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

/** Whether a call writes to a log: `log.warn(...)`, `core.log.info(...)`, `this.#with.log.error(...)`. */
function isLogged({ type, callee }: Node): boolean {
  const written = type === 'CallExpression' && callee?.type === 'MemberExpression' ? callee.object : undefined;
  return nameOf(written) === 'log';
}

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'MemberExpression' ? nameOf(node.property) : (node?.name ?? node?.id?.name);

/** Whether a text is a sentence: it has a space. What is compared, looked up or sent has none. */
const isSentence = ({ type, value, quasis }: Node): boolean =>
  type === 'StringLiteral'
    ? String(value).includes(' ')
    : (quasis ?? []).some(({ value: part }) => (part as { readonly raw: string }).raw.includes(' '));

/** Whether what stands here is given to `new`, as it is or in a field of an object. */
function isGivenToNew(path: Path | null | undefined): boolean {
  if (path?.node.type === 'ObjectProperty' || path?.node.type === 'ObjectExpression')
    return isGivenToNew(path.parentPath);
  return path?.node.type === 'NewExpression';
}

/**
 * Whether a node is only words for people: a part of a line of the log, or the sentence of an error. A test that repeats
 * them proves nothing.
 */
function isWording({ node, parentPath }: Path): boolean {
  if (isSentence(node) && isGivenToNew(parentPath)) return true;
  for (let path = parentPath; path; path = path.parentPath) if (isLogged(path.node)) return true;
  return false;
}

/** Adds the mutators of literals, and leaves wording alone. */
export function mutateLiterals(): void {
  const mutators: Mutator[] = allMutators;
  for (const mutator of mutators) {
    const { mutate } = mutator;
    mutator.mutate = (path) => (isWording(path) ? [] : mutate.call(mutator, path));
  }
  mutators.push({ name: 'ConstAssertion', mutate: unwrapConstants }, { name: 'NumericLiteral', mutate: offByOne });
}
