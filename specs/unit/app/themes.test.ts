/** The properties that a theme may change. Browser tests check sizes in one theme because of this. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = fileURLToPath(new URL('../../../src', import.meta.url));
const TOKENS = 'ui/design/tokens.css';

const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:app|ui)\/.*\.css$/.test(path))
  .map((path) => ({ path, text: readFileSync(`${SOURCES}/${path}`, 'utf8') }));

test('no style sheet depends on a theme, except the one that sets the color scheme of each', () => {
  const asking = sheets.filter(({ text }) => /data-theme|prefers-color-scheme/.test(text));
  expect(asking.map(({ path }) => path)).toEqual([TOKENS]);
  const rules = [...(asking[0]?.text ?? '').matchAll(/(?<selector>[^\n{}]*data-theme[^{]*)\{(?<body>[^}]*)\}/g)];
  expect(rules.map(({ groups }) => [groups?.['selector']?.trim(), groups?.['body']?.trim()])).toEqual([
    [":root[data-theme='dark']", 'color-scheme: dark;'],
    [":root[data-theme='light']", 'color-scheme: light;'],
  ]);
});

test('the themes differ only in colours', () => {
  const pairs = sheets.flatMap(({ path, text }) =>
    [...text.matchAll(/light-dark\((?<inside>(?:[^()]|\([^()]*\))*)\)/g)].map(({ groups }) => ({
      path,
      parts: (groups?.['inside'] ?? '').split(/,(?![^(]*\))/).map((part) => part.trim()),
    })),
  );
  expect(pairs.length).toBeGreaterThan(10);
  const isColour = (part: string) => /^(?:oklch\(|#|transparent$|var\(--[\w-]+\)$)/.test(part);
  expect(pairs.filter(({ parts }) => parts.length !== 2 || !parts.every(isColour))).toEqual([]);
});
