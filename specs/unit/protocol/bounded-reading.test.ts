/** The cost of reading an invalid message is at most that of a valid one, because lengths are checked before contents. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { boundedList, boundedRecord } from '../../../src/protocol/bounded-list.ts';
import { debugLogsBody, logsBody } from '../../../src/protocol/client-logs.ts';
import * as entities from '../../../src/protocol/entities.ts';
import { commandFrom, FrameFault } from '../../../src/protocol/envelope.ts';
import {
  deleteCustomItemsBody,
  loginBody,
  pushTokenBody,
  putCustomItemsBody,
  summaryBody,
} from '../../../src/protocol/http.ts';
import { ROOM_API } from '../../../src/protocol/room-api.ts';
import { ALL_COMMANDS } from '../../../src/protocol/room-envelope.ts';

/** A list that counts how many of its items were read. */
function counted(length: number, item: unknown) {
  let reads = 0;
  const items = new Proxy(
    Array.from({ length }, () => item),
    {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  return { items, reads: () => reads };
}

const removal = (candidates: unknown) => ({
  version: 1,
  request_id: 'r',
  cmd: 'SGNL',
  type: 'remove_candidates',
  payload: { call_id: 'c', candidates },
});

interface Part {
  readonly type: string;
  readonly pipe?: readonly Part[];
  readonly entries?: Readonly<Record<string, Part>>;
  readonly item?: Part;
  readonly key?: Part;
  readonly value?: Part;
  readonly wrapped?: Part;
}

/** The steps of a schema in order, also of a pipe within a pipe. */
const stepsOf = (part: Part): readonly Part[] => part.pipe?.flatMap(stepsOf) ?? [part];

/** The places of a schema that accept a text, a list or a record of any size, and keep it unchanged. */
function unbounded(part: Part, at: string): string[] {
  const steps = stepsOf(part);
  // A transformed value is not kept unchanged.
  if (steps.some(({ type }) => type === 'transform')) return [];
  const types = new Set(steps.map(({ type }) => type));
  return steps.flatMap((step) => {
    // A check may limit the entries of a record. On a text it means something else.
    const bound = step.type === 'record' ? 'check' : 'max_length';
    const isOpen = ['string', 'array', 'record', 'unknown', 'any'].includes(step.type) && !types.has(bound);
    const inner: [string, Part | undefined][] = [
      ...Object.entries(step.entries ?? {}),
      ['item', step.item],
      ['key', step.key],
      ['value', step.value],
      ['wrapped', step.wrapped],
    ];
    return [
      ...(isOpen ? [`${at}: ${step.type}`] : []),
      ...inner.flatMap(([name, one]) => (one ? unbounded(one, `${at}.${name}`) : [])),
    ];
  });
}

const schemas = {
  ...Object.fromEntries(
    Object.entries(ALL_COMMANDS).flatMap(([group, types]) =>
      Object.entries(types).map(([type, schema]) => [`${group}/${type}`, schema]),
    ),
  ),
  ...Object.fromEntries(Object.entries(entities).map(([name, schema]) => [`entities ${name}`, schema])),
  loginBody,
  summaryBody,
  putCustomItemsBody,
  deleteCustomItemsBody,
  pushTokenBody,
  logsBody,
  debugLogsBody,
  ...Object.fromEntries(
    Object.entries(ROOM_API).flatMap(([name, endpoint]) =>
      'body' in endpoint ? [[`the body of ${name}`, endpoint.body]] : [],
    ),
  ),
};

describe('the input of a client', () => {
  it.each(Object.entries(schemas))('S12 S14 S18: %s limits each text, each list and each record', (name, schema) => {
    expect(unbounded(schema as unknown as Part, name)).toEqual([]);
  });

  it('S18: a list that is too long is refused before its first item is read', () => {
    const { items, reads } = counted(340_000, {});
    expect(() => commandFrom(removal(items))).toThrow(FrameFault);
    expect(reads()).toBe(0);
  });

  it('S18: only the first item of a list of wrong items is read', () => {
    const { items, reads } = counted(100, {});
    expect(() => commandFrom(removal(items))).toThrow('payload.candidates.0.sdp');
    expect(reads()).toBe(1);
  });

  it('S18: a fault names one place, for any number of faults', () => {
    const fault = () => commandFrom(removal(Array.from({ length: 100 }, () => ({}))));
    expect(fault).toThrow(/^payload\.candidates\.0\.sdp: [^;]*$/);
  });

  it('S18: a record with too many entries is refused before its first entry is read', () => {
    let reads = 0;
    const value = v.pipe(
      v.string(),
      v.check(() => (reads += 1) > 0),
    );
    const schema = boundedRecord(v.string(), value, 2);
    expect([v.is(schema, { a: '', b: '' }), v.is(schema, { a: '', b: '', c: '' }), reads]).toEqual([true, false, 2]);
    expect([null, [], 'text', 1].map((given) => v.is(schema, given))).toEqual([false, false, false, false]);
  });

  it('a list with a limit accepts what its length and its items allow', () => {
    const schema = boundedList(v.number(), 2);
    const given = [[], [1, 2], [1, 2, 3], ['1'], { length: 0 }, null];
    expect(given.map((one) => v.is(schema, one))).toEqual([true, true, false, false, false, false]);
  });
});
