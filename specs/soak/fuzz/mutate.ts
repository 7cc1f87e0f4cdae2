/** Changes of an input by a seeded generator: of its bytes, and of the parts of its JSON. Pure. */
import { gzipSync } from 'node:zlib';

/** Returns a number from 0 up to, not including, 1. */
export type Random = () => number;

/** The largest input. A larger one is cut: the limits of size have tests of their own. Bytes. */
const MOST_BYTES = 96 * 1024;
const DEEP = 400;
const LONG = 40_000;

const below = (random: Random, count: number): number => Math.floor(random() * count);
const oneOf = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)] as T;

/** Keys that have a meaning in JavaScript, and keys that no message has. */
const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'call_id',
  'x'.repeat(300),
  '\u0000',
  '0',
];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
/** Session descriptions that are bombs, no gzip, or cut. */
const PACKED = [
  base64(gzipSync(Buffer.alloc(8 * 1024 * 1024))),
  base64(gzipSync(Buffer.from('v=0\r\n'))),
  base64(gzipSync(Buffer.from([0xff, 0xfe, 0x80]))),
  base64(gzipSync(Buffer.from('v=0\r\n'.repeat(100))).subarray(0, 30)),
  base64(Buffer.from('v=0')),
  '!!!!',
];

/** Values of every kind, of extreme size, and with the wrong type. */
const VALUES: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => -1e308,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -(2 ** 63),
  () => '',
  () => 'x'.repeat(LONG),
  () => '\u0000\u001b[2J\r\n',
  () => '\ud800',
  () => '../../../../etc/passwd',
  () => "'; drop table users; --",
  () => '<script>alert(1)</script>',
  () => '1e999',
  () => [],
  () => ({}),
  () => Array.from({ length: 2_000 }, () => 0),
  () => nested(40),
  (random) => oneOf(random, PACKED),
  (random) => oneOf(random, KEYS),
  (random) => random() * 1e6,
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

/** Pieces that parsers of JSON, YAML and HTTP treat specially. */
const PIECES = [
  '"',
  '\\',
  '\\u0000',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '-',
  '\n',
  '\r\n',
  '\t',
  '  ',
  '#',
  '&a ',
  '*a',
  '!!js/function ',
  '!!binary ',
  '<<: *a',
  '? ',
  '| ',
  '>-\n',
  '---\n',
  '%YAML 9.9\n',
  '@',
  '`',
  '%00',
  '%',
  '%ff',
  '?',
  '&',
  '=',
  '/',
  '//',
  '..',
  ';',
  '\u0000',
  '\u2028',
  '\ufeff',
  '${x}',
  '$x',
  '1e999',
  '0x',
  '-0',
  'NaN',
  'null',
  'true',
  '99999999999999999999',
  '60s',
  '-5ms',
];

type Change = (input: Buffer, random: Random, other: Buffer) => Buffer;

const replaced = (input: Buffer, from: number, to: number, by: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, from), by, input.subarray(to)]);

const BYTES: readonly Change[] = [
  function flip(input, random) {
    const changed = Buffer.from(input);
    for (let left = 1 + below(random, 8); left > 0 && changed.length > 0; left -= 1) {
      const at = below(random, changed.length);
      changed[at] = (changed[at] ?? 0) ^ (1 << below(random, 8));
    }
    return changed;
  },
  (input, random) => input.subarray(0, below(random, input.length + 1)),
  (input, random) => input.subarray(below(random, input.length + 1)),
  function insertPiece(input, random) {
    const at = below(random, input.length + 1);
    return replaced(input, at, at, Buffer.from(oneOf(random, PIECES)));
  },
  function replacePiece(input, random) {
    const at = below(random, input.length + 1);
    return replaced(input, at, at + below(random, 12), Buffer.from(oneOf(random, PIECES)));
  },
  function badUtf8(input, random) {
    const at = below(random, input.length + 1);
    return replaced(
      input,
      at,
      at,
      Buffer.from(oneOf(random, [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0xe2, 0x82]])),
    );
  },
  function repeatSlice(input, random) {
    const at = below(random, input.length + 1);
    const slice = input.subarray(at, at + 1 + below(random, 200));
    return replaced(input, at, at, Buffer.concat(Array.from({ length: 1 + below(random, 50) }, () => slice)));
  },
  function splice(input, random, other) {
    return Buffer.concat([
      input.subarray(0, below(random, input.length + 1)),
      other.subarray(below(random, other.length + 1)),
    ]);
  },
  function deepen(input, random) {
    const at = below(random, input.length + 1);
    const opening = oneOf(random, ['[', '{"a":', '- ', '(', '? ']);
    return replaced(input, at, at, Buffer.from(opening.repeat(1 + below(random, DEEP))));
  },
  function changeLine(input, random) {
    const lines = input.toString('latin1').split('\n');
    const [from, to] = [below(random, lines.length), below(random, lines.length)];
    const line = lines[from] ?? '';
    if (random() < 0.3) lines.splice(from, 1);
    else if (random() < 0.5) lines.splice(to, 0, line);
    else lines[from] = random() < 0.5 ? ` ${line}` : line.trimStart();
    return Buffer.from(lines.join('\n'), 'latin1');
  },
];

/** A place in parsed JSON: the object or array, and the key. */
interface Spot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function spotsOf(value: unknown, spots: Spot[] = [], depth = 0): Spot[] {
  if (typeof value !== 'object' || value === null || depth > 50) return spots;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    spots.push({ holder, key });
    spotsOf(holder[key], spots, depth + 1);
  }
  return spots;
}

/** Changes one part of JSON. Returns null for an input that is no JSON object. */
function changeJson(input: Buffer, random: Random, other: Buffer): Buffer | null {
  const value = parsed(input);
  const [spots, donated] = [spotsOf(value), spotsOf(parsed(other))];
  if (spots.length === 0) return null;
  let renamed: readonly [from: string, to: string] | null = null;
  for (let left = 1 + below(random, 3); left > 0; left -= 1) {
    const { holder, key } = oneOf(random, spots);
    const draw = random();
    if (draw < 0.55) holder[key] = oneOf(random, VALUES)(random);
    else if (draw < 0.7) delete holder[key];
    else if (draw < 0.8) renamed = [`fuzz-key-${left}`, oneOf(random, KEYS)];
    else {
      const taken = donated.length > 0 ? oneOf(random, donated) : null;
      // A copy, so that no part contains itself.
      if (taken) holder[random() < 0.5 ? key : taken.key] = structuredClone(taken.holder[taken.key]);
    }
    // Assigning to __proto__ would change the object, so the key is written into the text.
    if (renamed) holder[renamed[0]] = oneOf(random, VALUES)(random);
  }
  const text = JSON.stringify(value);
  return Buffer.from(renamed ? text.replace(JSON.stringify(renamed[0]), JSON.stringify(renamed[1])) : text);
}

function parsed(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString());
  } catch {
    return undefined;
  }
}

/** Returns a changed input. The same numbers of the generator give the same change. */
export function mutate(input: Buffer, random: Random, other: Buffer): Buffer {
  let changed =
    (random() < 0.6 ? changeJson(input, random, other) : null) ?? oneOf(random, BYTES)(input, random, other);
  while (random() < 0.25) changed = oneOf(random, BYTES)(changed, random, other);
  return changed.length > MOST_BYTES ? changed.subarray(0, MOST_BYTES) : changed;
}

/**
 * Returns a smaller input that still fails: parts are taken away as long as it does.
 *
 * @param fails - returns whether an input fails in the same way.
 * @param tries - the most inputs that are tried.
 */
export async function minimize(
  input: Buffer,
  fails: (input: Buffer) => Promise<boolean>,
  tries = 300,
): Promise<Buffer> {
  let [smallest, left] = [input, tries];
  for (let part = Math.ceil(input.length / 2); part >= 1; part = Math.floor(part / 2)) {
    for (let at = 0; at < smallest.length;) {
      if (left === 0) return smallest;
      left -= 1;
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + part)]);
      if (await fails(shorter)) smallest = shorter;
      else at += part;
    }
  }
  return smallest;
}
