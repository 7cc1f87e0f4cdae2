import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { globSync } from 'tinyglobby';

const sources = fileURLToPath(new URL('../../../../src/', import.meta.url));

/** Attributes whose values users see or hear. */
const WORDY = new Set([
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'hint',
  'label',
  'placeholder',
  'text',
  'title',
]);

/**
 * Finds texts in the code of the app and of the kit that belong in the catalogues, and numbers that stand in texts instead of the
 * named value, each with its place. Returns also how many files it read.
 */
export function literalWords(): { looked: number; words: string[] } {
  const files = globSync('{app,ui}/**/*.{ts,tsx}', {
    cwd: sources,
    ignore: ['app/core/i18n/generated/**', 'app/testing/**'],
  });
  return { looked: files.length, words: files.toSorted().flatMap((file) => wordsOf(file)) };
}

function wordsOf(file: string): string[] {
  const source = readFileSync(sources + file, 'utf8');
  const words: string[] = [];
  let keys = 0;
  const add = (text: string, start: number): void => {
    words.push(`${file}:${source.slice(0, start).split('\n').length} ${text.trim()}`);
  };
  const { program } = parseSync(file, source);
  new Visitor({
    // The labels of keys are the same in every language.
    JSXElement: (node) => void (keys += isKey(node.openingElement.name) ? 1 : 0),
    'JSXElement:exit': (node) => void (keys -= isKey(node.openingElement.name) ? 1 : 0),
    JSXText: (node) => {
      if (keys === 0 && /\p{L}/u.test(node.value)) add(node.value, node.start);
    },
    JSXAttribute: ({ name, value }) => {
      if (name.type !== 'JSXIdentifier' || !WORDY.has(name.name)) return;
      if (value?.type === 'Literal' && typeof value.value === 'string' && /\p{L}/u.test(value.value))
        add(value.value, value.start);
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && /\p{Script=Han}/u.test(node.value)) add(node.value, node.start);
    },
    CallExpression: ({ callee, arguments: [values] }) => {
      const isMessage =
        callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'm';
      if (!isMessage || values?.type !== 'ObjectExpression') return;
      for (const property of values.properties) {
        if (property.type !== 'Property' || property.value.type !== 'Literal') continue;
        if (/^\d+$/.test(String(property.value.value))) add(source.slice(property.start, property.end), property.start);
      }
    },
    TemplateElement: (node) => {
      if (/\p{Script=Han}/u.test(node.value.raw)) add(node.value.raw, node.start);
    },
  }).visit(program);
  return words;
}

const isKey = (name: { type: string; name?: unknown }): boolean => name.type === 'JSXIdentifier' && name.name === 'kbd';
