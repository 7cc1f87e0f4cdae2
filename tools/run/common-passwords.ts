/**
 * Writes the hashes of the most common passwords: `npx tsx tools/run/common-passwords.ts PATH`, where PATH is
 * `src/passwords.json` of the npm package `@zxcvbn-ts/language-common`, a list of passwords with the most common one
 * first. Hashes keep offensive words out of the checkout.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import * as v from 'valibot';
import { commonHashOf } from '../../sim/product/accounts/weak-passwords.ts';
import { passwordFault } from '../../src/protocol/product/password-rules.ts';

const OUT = 'sim/product/accounts/common-password-hashes.ts';
const COUNT = 5_000;
const LINE = 128;

const listed = v.parse(v.array(v.string()), JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')));
const hashes = listed
  .filter((password) => passwordFault(password) === null)
  .slice(0, COUNT)
  .map(commonHashOf)
  .toSorted((a, b) => a - b);
const bytes = Buffer.alloc(hashes.length * 4);
hashes.forEach((hash, at) => bytes.writeUInt32BE(hash, at * 4));
const lines = bytes.toString('base64').match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
writeFileSync(
  OUT,
  `/**
 * The first 32 bits of SHA-256 of the ${COUNT} most common passwords that the other rules take, in base64. Made by
 * \`tools/run/common-passwords.ts\` from @zxcvbn-ts/language-common 4.1.3: Copyright (c) 2012-2016 Dan Wheeler and
 * Dropbox, Inc., Copyright (c) 2021 @zxcvbn-ts, MIT License.
 */
export const COMMON_PASSWORD_HASHES = \`
${lines.join('\n')}
\`;
`,
);
console.log(`${OUT}: ${hashes.length} passwords`);
