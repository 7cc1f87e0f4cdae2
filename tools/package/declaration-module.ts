/** Reads one declaration file: its declarations, imports and exports. */
import { posix } from 'node:path';
import { type Node, parseSync, type Statement, Visitor } from 'oxc-parser';

/** A reference to another declaration. */
export interface Reference {
  /** Its position in the source, where the final name of the declaration replaces it. */
  readonly start: number;
  readonly end: number;
  readonly name: string;
  /** The module that the reference itself names: `import('./a.ts').Name`. */
  readonly from?: string;
}

export interface Member {
  /** Empty for the mark that a class has private fields. */
  readonly name: string;
  readonly doc: string;
  readonly start: number;
  readonly end: number;
}

export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly kind: 'function' | 'variable' | 'class' | 'interface' | 'type' | 'global';
  readonly doc: string;
  /** The text before `start` in the generated file: `declare const `. */
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
  readonly references: readonly Reference[];
  readonly members: readonly Member[];
  /** The interfaces that an interface extends, by their names in its file. */
  readonly parents: readonly string[];
}

/** A name of another module: that module, and the name there. */
export interface Import {
  readonly from: string;
  readonly name: string;
}

export interface DeclarationModule {
  readonly source: string;
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
  readonly globals: readonly Declaration[];
  readonly imports: ReadonlyMap<string, Import>;
  /** The exports by public name, in the written order. */
  readonly exports: ReadonlyMap<string, Import & { readonly typeOnly: boolean }>;
}

/** A path from the root for a relative import. A package keeps its name. */
const target = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), specifier)) : specifier;

/** Returns the text of a documentation comment without its stars. */
function docText(comment: string): string {
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  return lines.join('\n').trim();
}

const nameOf = (node: { readonly type: string } | null): string =>
  node && 'name' in node ? String(node.name) : node && 'value' in node ? String(node.value) : '';

/** Returns the first name of `A.B.C`. */
function leftmost(node: Node): { name: string; start: number; end: number } {
  let at: Node = node;
  while (at.type === 'TSQualifiedName' || at.type === 'MemberExpression')
    at = at.type === 'TSQualifiedName' ? at.left : at.object;
  return { name: nameOf(at), start: at.start, end: at.end };
}

function referencesIn(node: Node, file: string): Reference[] {
  const found: Reference[] = [];
  const add = (named: Node | null) => {
    if (named && named.type !== 'TSImportType') found.push(leftmost(named));
  };
  const inside: Statement[] = [{ type: 'ExpressionStatement', start: 0, end: 0, expression: node as never }];
  new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSTypeQuery: ({ exprName }) => add(exprName),
    TSInterfaceHeritage: ({ expression }) => add(expression),
    TSClassImplements: ({ expression }) => add(expression),
    ClassDeclaration: ({ superClass }) => add(superClass),
    TSImportType: ({ source, qualifier, start }) => {
      if (!qualifier)
        throw new Error(`${file}: imports the whole of '${source.value}' as a type, which is not followed`);
      const { name, end } = leftmost(qualifier);
      found.push({ name, start, end, from: target(file, source.value) });
    },
  }).visit({ type: 'Program', start: 0, end: 0, body: inside, sourceType: 'module', hashbang: null } as never);
  return found;
}

export function readDeclarationModule(file: string, source: string): DeclarationModule {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const declarations = new Map<string, Declaration[]>();
  const globals: Declaration[] = [];
  const imports = new Map<string, Import>();
  const exports = new Map<string, Import & { typeOnly: boolean }>();

  const docBefore = (start: number): string => {
    const comment = comments.findLast(({ end }) => end <= start);
    const isDoc = comment?.type === 'Block' && comment.value.startsWith('*');
    return isDoc && source.slice(comment.end, start).trim() === '' ? docText(comment.value.slice(1)) : '';
  };
  const membersOf = (body: readonly (Node & { readonly key?: Node })[]): Member[] =>
    body.map((member) => ({
      name: member.key?.type === 'PrivateIdentifier' ? '' : nameOf(member.key ?? null),
      doc: docBefore(member.start),
      start: member.start,
      end: member.end,
    }));

  /** Adds a declaration. Returns the names it declares. `at` is the start of its statement. */
  const declare = (node: Statement, at: number): string[] => {
    const add = (
      name: string,
      kind: Declaration['kind'],
      prefix: string,
      part: Node,
      members: Member[] = [],
      doc = docBefore(at),
      parents: string[] = [],
    ) => {
      const references = referencesIn(part, file);
      const made = { file, name, kind, doc, prefix, start: part.start, end: part.end, references, members, parents };
      if (kind === 'global') globals.push(made);
      else declarations.set(name, [...(declarations.get(name) ?? []), made]);
      return name;
    };
    switch (node.type) {
      case 'VariableDeclaration':
        return node.declarations.map((part) =>
          add(nameOf(part.id), 'variable', `declare ${node.kind} `, part, [], docBefore(part.start) || docBefore(at)),
        );
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        return [add(nameOf(node.id), 'function', node.declare ? '' : 'declare ', node)];
      case 'ClassDeclaration':
        return [add(nameOf(node.id), 'class', node.declare ? '' : 'declare ', node, membersOf(node.body.body))];
      case 'TSInterfaceDeclaration':
        return [
          add(
            nameOf(node.id),
            'interface',
            '',
            node,
            membersOf(node.body.body),
            docBefore(at),
            node.extends.map(({ expression }) => nameOf(expression)),
          ),
        ];
      case 'TSTypeAliasDeclaration':
        return [add(nameOf(node.id), 'type', '', node)];
      case 'TSModuleDeclaration':
        if (node.kind === 'global') return [add('global', 'global', '', node)];
        throw new Error(`${file}: a namespace is not followed`);
      default:
        throw new Error(`${file}: ${node.type} is not followed`);
    }
  };

  for (const node of program.body) {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*';
          imports.set(specifier.local.name, { from: target(file, node.source.value), name });
        }
        break;
      case 'ExportNamedDeclaration':
        if (node.declaration) {
          for (const name of declare(node.declaration, node.start))
            exports.set(name, { from: file, name, typeOnly: false });
        }
        for (const { local, exported, exportKind } of node.specifiers) {
          const from = node.source ? target(file, node.source.value) : file;
          const typeOnly = node.exportKind === 'type' || exportKind === 'type';
          exports.set(nameOf(exported), { from, name: nameOf(local), typeOnly });
        }
        break;
      case 'ExportAllDeclaration':
      case 'ExportDefaultDeclaration':
        throw new Error(`${file}: name each export`);
      default:
        declare(node, node.start);
    }
  }
  return { source, declarations, globals, imports, exports };
}
