/** Writes the types of the package: one file that needs no other. */
import type { GatheredDeclaration, PublicDeclarations } from './public-declarations.ts';

function comment(doc: string): string {
  if (doc === '') return '';
  const lines = doc.split('\n');
  return lines.length === 1
    ? `/** ${doc} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

const declarationText = ({ doc, text }: GatheredDeclaration): string => `${comment(doc)}${text}\n`;

/**
 * Returns the two statements that export the names. TypeScript before 4.5 does not know a single statement with `type`
 * before some names.
 */
function exportStatements(names: PublicDeclarations['names']): string {
  const list = (isType: boolean) =>
    names.flatMap(({ name, typeOnly }) => (typeOnly === isType ? [`  ${name},\n`] : [])).join('');
  return `export {\n${list(false)}};\nexport type {\n${list(true)}};\n`;
}

/** Returns the types of a module: the names, each by itself. */
export function moduleDeclarationFile({ imports, names, declarations }: PublicDeclarations): string {
  const imported = Object.entries(imports).map(
    ([from, list]) => `import type { ${list.join(', ')} } from '${from}';\n`,
  );
  return [imported.join(''), ...declarations.map(declarationText), exportStatements(names)].join('\n');
}

/** Writes the names, each by itself, and all of them as the default object, for TypeScript 4.2 and later. */
export function declarationFile({ names, declarations }: PublicDeclarations): string {
  const exported = exportStatements(names);
  return [
    ...declarations.map(declarationText),
    `declare namespace SendBirdCall {\n${exported.replaceAll(/^(?=.)/gm, '  ')}}\n`,
    `${exported}export default SendBirdCall;\n`,
  ].join('\n');
}

/** Returns the types of the script that defines a global, for importers that name it. */
export const globalDeclarationFile = (self: string): string =>
  `import * as names from '${self}';\n\ndeclare global {\n  const SendBirdCall: typeof names;\n}\nexport {};\n`;
