import { describe, expect, test } from 'vitest';
import { checkWording } from '../../../tools/checks/documents/check-wording.ts';
import { forgeTree } from './forged-tree.ts';

describe('wording check', () => {
  const check = (files: Record<string, string>) => checkWording(forgeTree(files));

  test('passes text that names the actor, also in code and in the document that quotes the words', () => {
    const files = {
      'README.md': 'A user calls.',
      'CONTRIBUTING.md': 'Do not write: nobody.',
      'CHANGELOG.md': 'Nobody knows.',
      'src/calls/a.ts': "/** Dials. */\nexport const nobodyYet = 'nobody';",
    };
    expect(check(files)).toEqual({ looked: '2 files', faults: [] });
  });

  test('finds a forbidden word in a document and in a comment, with its line', () => {
    const says = (place: string, word: string) =>
      `${place}: says "${word}"; name the actor, as CONTRIBUTING.md explains`;
    expect(check({ 'docs/a.md': '# A\n\nThe host is told.' }).faults).toEqual([says('docs/a.md:3', 'is told')]);
    expect(check({ 'src/calls/a/b.ts': 'const a = 1;\n/**\n * Whoever dials.\n */' }).faults).toEqual([
      says('src/calls/a/b.ts:3', 'Whoever'),
    ]);
  });

  test('finds a forbidden word in a message of the app, and not in the code that is generated from it', () => {
    const message = '{\n  "chat_somebody": "Say hello to somebody."\n}';
    const files = {
      'src/app/core/i18n/messages/en/chat.json': message,
      'src/app/core/i18n/generated/messages/chat.d.ts': '/** Say hello to somebody. */',
    };
    expect(check(files).faults).toEqual([
      'src/app/core/i18n/messages/en/chat.json:2: says "somebody"; name the actor, as CONTRIBUTING.md explains',
    ]);
  });

  test('fails when it has read no file', () => {
    expect(check({ 'a.md': '' }).faults).toEqual([expect.stringContaining('nothing was checked')]);
  });
});
