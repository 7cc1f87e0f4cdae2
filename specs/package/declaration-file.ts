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

/** The names, each by itself, and all of them as the default object. */
export function declarationFile({ names, declarations }: PublicDeclarations): string {
  const listed = names.map(({ name, typeOnly }) => `  ${typeOnly ? 'type ' : ''}${name},\n`).join('');
  return [
    ...declarations.map(declarationText),
    `declare namespace SendBirdCall {\n  export {\n${listed.replaceAll(/^/gm, '  ').trimEnd()}\n  };\n}\n`,
    `export {\n${listed}};\nexport default SendBirdCall;\n`,
  ].join('\n');
}

/** The types of the script that makes a global: whoever imports them may name it. */
export const globalDeclarationFile = (self: string): string =>
  `import * as names from '${self}';\n\ndeclare global {\n  const SendBirdCall: typeof names;\n}\nexport {};\n`;
