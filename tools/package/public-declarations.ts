/** Gathers the public names of a module of the library with their declarations, and the declarations that those need. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Declaration, type DeclarationModule, readDeclarationModule } from './declaration-module.ts';

/** A module of the package. */
export interface PublicModule {
  /** The declaration file of its entry. */
  readonly entry: string;
  /** The packages that its types may import. */
  readonly packages: readonly string[];
}

export const CORE: PublicModule = { entry: 'src/calls/index.d.ts', packages: [] };
/** The React binding. */
export const REACT: PublicModule = { entry: 'src/react/index.d.ts', packages: ['react'] };

/** The folder of the ports between the library and the environment, which hosts must not use. */
const INSIDE = 'src/calls/platform/';
const CLIENT = { file: 'src/calls/client/client.d.ts', name: 'Client' };

/** A declaration in a file with all the others. */
export interface GatheredDeclaration extends Pick<Declaration, 'name' | 'kind' | 'doc'> {
  /** Its text, without the documentation in front of it. */
  readonly text: string;
  readonly members: readonly { readonly name: string; readonly doc: string; readonly text: string }[];
  /** True when hosts import it. False when only imported declarations refer to it. */
  readonly isPublic: boolean;
}

export interface PublicDeclarations {
  /** The names that the declarations import from each package. */
  readonly imports: Readonly<Record<string, readonly string[]>>;
  readonly names: readonly { readonly name: string; readonly typeOnly: boolean }[];
  /** The source of `declare global`. */
  readonly declarations: readonly GatheredDeclaration[];
}

const declarationFile = (path: string) => path.replace(/(?<!\.d)\.tsx?$/, '.d.ts');

/**
 * Gathers what a module exports from the declaration files below `root`. @throws Error that names what cannot be
 * followed.
 */
export function gatherPublicDeclarations(
  root: string,
  { entry: entryFile, packages }: PublicModule = CORE,
): PublicDeclarations {
  const imported = new Map<string, Set<string>>();
  const modules = new Map<string, DeclarationModule>();
  const moduleAt = (file: string): DeclarationModule => {
    const known = modules.get(file);
    if (known) return known;
    const read = readDeclarationModule(file, readFileSync(join(root, file), 'utf8'));
    modules.set(file, read);
    return read;
  };

  /**
   * The declarations of a name in a file, through imports and re-exports. Empty for a name of the language.
   */
  const resolve = (file: string, name: string, asked: string): readonly Declaration[] => {
    if (packages.includes(file)) {
      imported.set(file, (imported.get(file) ?? new Set()).add(name));
      return [];
    }
    if (!file.startsWith('src/')) throw new Error(`${asked}: a public type needs '${file}', which is not ours`);
    const { declarations, imports, exports } = moduleAt(declarationFile(file));
    const here = declarations.get(name);
    if (here) return here;
    const elsewhere = imports.get(name) ?? exports.get(name);
    return elsewhere ? resolve(elsewhere.from, elsewhere.name, file) : [];
  };

  const entry = moduleAt(entryFile);
  const gathered = new Map<Declaration, string>();
  const taken = new Map<string, Declaration>();
  const gather = (declaration: Declaration): void => {
    if (gathered.has(declaration)) return;
    const { file, name, references } = declaration;
    if (file.startsWith(INSIDE)) throw new Error(`${name} of ${file} is not for hosts: mark what needs it @internal`);
    const other = taken.get(name);
    if (other && other.file !== file)
      throw new Error(`${name} is declared in ${other.file} and in ${file}: rename one`);
    taken.set(name, declaration);
    gathered.set(declaration, name);
    for (const reference of references)
      for (const needed of resolve(reference.from ?? file, reference.name, file)) gather(needed);
  };

  const publicDeclarations = new Set<Declaration>();
  for (const [name, { from, name: original }] of entry.exports) {
    const found = resolve(from, original, entryFile);
    if (found.length === 0) throw new Error(`${entryFile}: exports ${name}, which is declared nowhere`);
    if (name !== original)
      throw new Error(`${entryFile}: exports ${original} as ${name}: give it its public name where it is`);
    for (const declaration of found) publicDeclarations.add(declaration);
  }
  for (const declaration of publicDeclarations) gather(declaration);
  for (const file of filesWithGlobals(root, dirname(entryFile)))
    for (const declaration of moduleAt(file).globals) gather(declaration);

  const docsOf = ({ file, members, parents }: Declaration): (readonly [name: string, doc: string])[] => [
    ...members.map(({ name, doc }) => [name, doc] as const),
    ...parents.flatMap((parent) => resolve(file, parent, file).flatMap(docsOf)),
  ];
  const clientDocs =
    entryFile === CORE.entry
      ? new Map(moduleAt(CLIENT.file).declarations.get(CLIENT.name)?.flatMap(docsOf))
      : new Map();
  return {
    imports: Object.fromEntries(Array.from(imported, ([from, names]) => [from, [...names].toSorted()])),
    names: [...entry.exports].map(([name, { typeOnly }]) => ({ name, typeOnly })),
    declarations: [...gathered.keys()].map((declaration) => {
      const { name, kind, file, prefix, start, end, members } = declaration;
      const text = (from: number, to: number) => slice(moduleAt(file).source, declaration, from, to);
      return {
        name,
        kind,
        doc: file === entryFile ? documented(declaration, clientDocs) : declaration.doc,
        text: `${prefix}${text(start, end)}`.replace(/;?$/, kind === 'variable' ? ';' : '$&'),
        members: members.map((member) => ({
          name: member.name,
          doc: member.doc,
          text: text(member.start, member.end),
        })),
        isPublic: publicDeclarations.has(declaration),
      };
    }),
  };
}

/** Returns the docs of a name. Those of a function are in the client's interface, or in one that it extends. */
function documented({ name, doc }: Declaration, clientDocs: ReadonlyMap<string, string>): string {
  const [, member] = /^See \{@link Client\.(\w+)\}\.$/.exec(doc) ?? [];
  if (doc !== '' && member === undefined) return doc;
  return clientDocs.get(member ?? name) ?? '';
}

/** A part of the source, in which a type that was imported by `import('…').Name` is called by its name alone. */
function slice(source: string, { references }: Declaration, from: number, to: number): string {
  const inside = references
    .filter(({ start, end }) => start >= from && end <= to)
    .toSorted((a, b) => a.start - b.start);
  let at = from;
  let text = '';
  for (const { start, end, name } of inside) {
    text += source.slice(at, start) + name;
    at = end;
  }
  return text + source.slice(at, to);
}

function filesWithGlobals(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.d.ts'))
    .map((name) => `${folder}/${name}`)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('declare global'));
}
