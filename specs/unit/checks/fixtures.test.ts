/** The fixtures that are published: invented people, and no secrets. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const files = readdirSync('fixtures', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name));

/**
 * The forms of a secret or of personal data. Domains and addresses that are reserved for examples are allowed
 * (RFC 2606, RFC 5737).
 */
const SUSPECTS: Readonly<Record<string, RegExp>> = {
  'a signed token': /\beyJ[\w-]{10,}\.[\w-]+\.[\w-]*/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a key of a cloud': /\b(?:AKIA[A-Z\d]{16}|gh[pousr]_\w{20,}|sk_live_\w+|AIza[\w-]{30,})\b/,
  'an e-mail that could be real':
    /[\w.+-]+@(?!(?:[\w-]+\.)*(?:example|test|invalid)\b|example\.(?:com|org|net)\b)[\w-]+\.[a-z]{2,}/i,
  'a phone that could be real': /(?:\+886|\b0)9\d{8}\b/,
};

it.each(Object.entries(SUSPECTS))('S49 no fixture holds %s', (_, pattern) => {
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap((file) => {
    const match = pattern.exec(readFileSync(file, 'utf8'));
    return match ? [`${file}: ${match[0]}`] : [];
  });
  expect(found).toEqual([]);
});
