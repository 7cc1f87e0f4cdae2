/** Hostile bodies of the largest permitted size, and measurements of their cost for the server. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Repeats a part between a start and an end, up to `most` characters. */
function fillTo(before: string, part: string, after: string, most: number): string {
  const room = Math.max(0, most - before.length - after.length);
  const count = Math.floor((room + 1) / (part.length + 1));
  return count < 1 ? `${before}${after}` : `${before}${`${part},`.repeat(count - 1)}${part}${after}`;
}

/** Returns a valid value of a JSON schema, so that a parser continues with the next field. */
function sampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return 'x';
  if ('const' in schema) return schema['const'];
  const { enum: choices, type, anyOf, oneOf, properties, minLength, minItems, items, minimum } = schema;
  if (Array.isArray(choices)) return choices[0];
  for (const some of [anyOf, oneOf]) if (Array.isArray(some)) return sampleOf(some[0]);
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return minimum ?? 1;
  if (type === 'array') return Array.from({ length: Number(minItems ?? 0) }, () => sampleOf(items));
  if (isObject(properties)) {
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, sampleOf(value)]));
  }
  return 'x'.repeat(Number(minLength ?? 1));
}

/** Returns the properties of each variant of an object's JSON schema. */
function formsOf(schema: unknown): Json[] {
  if (!isObject(schema)) return [];
  const { anyOf, oneOf } = schema;
  for (const some of [anyOf, oneOf]) if (Array.isArray(some)) return some.flatMap(formsOf);
  return isObject(schema['properties']) ? [schema['properties']] : [];
}

/** Returns hostile bodies of the largest size for a JSON schema, each with its description. */
export function hostileBodies(schema: unknown, most: number): readonly (readonly [string, string])[] {
  const whole: (readonly [string, string])[] = [
    ['an array of numbers', fillTo('[', '0', ']', most)],
    ['an array of objects', fillTo('[', '{}', ']', most)],
    ['arrays within arrays', `${'['.repeat(Math.floor(most / 2))}${']'.repeat(Math.floor(most / 2))}`],
    [
      'objects within objects',
      `${'{"a":'.repeat(Math.floor((most - 1) / 6))}0${'}'.repeat(Math.floor((most - 1) / 6))}`,
    ],
    [
      'an object of many names',
      fillTo('{', '"a":0', '}', most)
        .replaceAll('"a"', () => `"${(names += 1)}"`)
        .slice(0, most),
    ],
    ['no JSON', '"'.repeat(most)],
  ];
  const fields = formsOf(schema).flatMap((properties) =>
    Object.keys(properties).flatMap((field) => {
      const others = Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, name === field ? null : sampleOf(value)]),
      );
      const [before = '', after = ''] = JSON.stringify(others).split(`"${field}":null`);
      const start = `${before}"${field}":`;
      return [
        [`numbers in ${field}`, fillTo(`${start}[`, '0', `]${after}`, most)],
        [`objects in ${field}`, fillTo(`${start}[`, '{}', `]${after}`, most)],
        [`a long ${field}`, `${start}"${'9'.repeat(Math.max(0, most - start.length - after.length - 2))}"${after}`],
        [`spaces in ${field}`, `${start}"${' '.repeat(Math.max(0, most - start.length - after.length - 2))}"${after}`],
      ] as const;
    }),
  );
  return [...whole, ...fields];
}
let names = 0;

/** Measures the longest turn of the event loop of this process, in milliseconds, until `stop`. */
export function watchTurns(): { readonly longest: () => number; readonly stop: () => void } {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    longest: () => longest,
    stop: () => {
      isOver = true;
    },
  };
}

/** The most collections of a measurement. */
const COLLECTIONS = 8;

/**
 * Collects garbage, and returns the bytes that this process still holds for JavaScript. V8 frees the memory of buffers in
 * threads of its own, some turns after their collection. So the least of several measurements counts: memory that is not
 * freed is in each of them.
 */
export async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  let least = Infinity;
  for (let count = 0; count < COLLECTIONS; count += 1) {
    collect();
    // `external` has the memory of buffers.
    const { heapUsed, external } = process.memoryUsage();
    least = Math.min(least, heapUsed + external);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return least;
}
