import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { nodeIds } from '../../../sim/server/node-ports.ts';

it('S22 ids of calls and messages have 122 random bits, and tokens 256: no two are alike, and none follows from another', () => {
  const uuids = Array.from({ length: 10_000 }, () => nodeIds.uuid());
  const tokens = Array.from({ length: 10_000 }, () => nodeIds.token());
  expect(uuids.every((id) => /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))).toBe(true);
  expect(tokens.every((token) => Buffer.from(token, 'base64url').length === 32)).toBe(true);
  expect(new Set([...uuids, ...tokens]).size).toBe(20_000);
  // With a counter or a clock, most of one id would be in the next.
  for (const made of [uuids, tokens]) {
    const shared = made
      .slice(1)
      .map((id, at) => id.split('').filter((char, place) => char === made[at]?.[place]).length);
    expect(shared.reduce((sum, count) => sum + count, 0) / shared.length).toBeLessThan(10);
  }
});

it('an id of a call or message takes the memory of one text, not that of the parts of which Node makes it', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const kept = Array.from({ length: 20_000 }, () => '');
  const used = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let at = 0; at < kept.length; at += 1) kept[at] = nodeIds.uuid();
  // It takes about 70 bytes. With the parts of Node it takes about 490.
  expect((used() - before) / kept.length).toBeLessThan(150);
});
