import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { LiveCall, LiveSignal } from '../../../sim/exchange/calls/live-call.ts';
import { LiveCallFile } from '../../../sim/store/live-call-file.ts';
import { aLiveCall, aRecord } from '../../contract/store/store.contract.ts';

const SEEN = { at: 1_767_225_600_000, clock: 5 };

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ringback-live-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const aCall = (callId: string, more: Partial<LiveCall> = {}): LiveCall =>
  aLiveCall('alice', 'bob', { callId, ...more });
const aSignal = (callId: string, sequence: number): LiveSignal => ({
  callId,
  side: 'callee',
  clientId: 'bob-1',
  sequence,
  frame: `{"n":${sequence}}`,
});
/** Returns a call whose callee keeps its signals from this one on. */
const from = (call: LiveCall, firstSignal: number): LiveCall => ({
  ...call,
  legs: call.legs.map((leg) => (leg.side === 'callee' ? { ...leg, firstSignal } : leg)),
});
const filesOf = (folder: string): string[] => readdirSync(folder).toSorted();
const idsOf = (file: LiveCallFile): string[] => file.read().calls.map(({ callId }) => callId);
const EMPTY = { calls: [], records: [] };

it('D12: has each call as it was written last, with the signals that its legs keep, and when it was last written', () => {
  const path = join(aFolder(), 'a.db');
  const file = new LiveCallFile(path);
  file.begin(EMPTY);
  expect(
    file.save(SEEN, [aCall('one'), aCall('two')], [aSignal('one', 2), aSignal('one', 1), aSignal('two', 1)]),
  ).toEqual([]);
  const changed = from(aCall('one', { dialReceived: true }), 2);
  file.save({ at: SEEN.at + 1, clock: 6 }, [changed], [aSignal('one', 3)]);
  file.forget(['two', 'unknown']);
  file.save({ at: SEEN.at + 2, clock: 7 }, [], []);
  file.close();
  expect(new LiveCallFile(path).read().calls).toEqual([
    {
      callId: 'one',
      body: changed,
      signals: [aSignal('one', 2), aSignal('one', 3)],
      seen: { at: SEEN.at + 2, clock: 7 },
    },
  ]);
});

it('starts with the calls that go on, in one file that only its owner can read', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  // A file of something else, and one of another database.
  for (const name of ['a.db-live-x', 'b.db-live-1']) writeFileSync(join(folder, name), '');
  const first = new LiveCallFile(path, 1);
  first.begin(EMPTY);
  first.save(SEEN, [aCall('one')], [aSignal('one', 1)]);
  first.save(SEEN, [aCall('two')], []);
  first.close();
  const second = new LiveCallFile(path);
  const [one] = second.read().calls;
  second.begin({ calls: one ? [one] : [], records: [] });
  expect(second.read().calls).toEqual(one ? [one] : []);
  const made = filesOf(folder).filter((name) => /^a\.db-live-\d+$/.test(name));
  expect(made).toHaveLength(1);
  expect(statSync(join(folder, made[0] ?? '')).mode & 0o777).toBe(0o600);
  second.begin(EMPTY);
  expect(filesOf(folder)).toEqual(['a.db-live-x', 'b.db-live-1']);
  second.save(SEEN, [aCall('three')], []);
  expect(idsOf(second)).toEqual(['three']);
});

it('F54: a write that fails leaves nothing, and those after it are read', () => {
  const path = join(aFolder(), 'a.db');
  let isFull = false;
  const file = new LiveCallFile(path, undefined, {
    write(descriptor, bytes) {
      // The system writes a part of the bytes, as it may.
      const written = writeSync(descriptor, bytes.subarray(0, 10));
      if (isFull && written < bytes.length) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return written;
    },
  });
  file.begin(EMPTY);
  file.save(SEEN, [aCall('one')], []);
  isFull = true;
  expect(() => file.save(SEEN, [aCall('two')], [])).toThrow('full');
  const record = aRecord('alice', 'bob');
  file.end(record);
  file.forget(['one']);
  expect([idsOf(file), file.read().records]).toEqual([['one'], []]);
  isFull = false;
  file.save(SEEN, [aCall('three')], []);
  expect([idsOf(file), file.read().records]).toEqual([['three'], [record]]);
});

it('skips a line that a loss of power left incomplete', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const file = new LiveCallFile(path);
  file.save(SEEN, [aCall('one')], []);
  file.save(SEEN, [aCall('two')], []);
  file.close();
  const [name] = filesOf(folder);
  const text = readFileSync(join(folder, name ?? ''), 'utf8');
  writeFileSync(join(folder, name ?? ''), text.slice(0, -20));
  expect(idsOf(new LiveCallFile(path))).toEqual(['one']);
});

it('asks for the calls of a full file again, twenty at a time, and deletes the file when none of them goes on', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'), 20_000);
  const calls = Array.from({ length: 50 }, (_, at) => aCall(`call-${at}`));
  let asked = file.save(
    SEEN,
    calls,
    calls.map(({ callId }) => aSignal(callId, 1)),
  );
  expect([filesOf(folder), asked]).toEqual([
    ['a.db-live-1', 'a.db-live-2'],
    calls.slice(0, 20).map(({ callId }) => callId),
  ]);
  const rounds: number[] = [];
  while (asked.length > 0) {
    rounds.push(asked.length);
    const again = calls.filter(({ callId }) => asked.includes(callId));
    asked = file.save(
      SEEN,
      again,
      again.map(({ callId }) => aSignal(callId, 1)),
    );
  }
  expect([rounds, filesOf(folder).includes('a.db-live-1')]).toEqual([[20, 20, 10], false]);
  expect(file.read().calls.map(({ callId, signals }) => [callId, signals.length])).toEqual(
    calls.map(({ callId }) => [callId, 1]),
  );
});

it('ENT-15: has the record of a call that ended until it is saved, also in the files after that', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const file = new LiveCallFile(path, 1);
  file.save(SEEN, [aCall('ends'), aCall('stays')], []);
  const record = aRecord('alice', 'bob', { callId: 'ends' });
  file.end(record);
  expect([idsOf(file), file.read().records]).toEqual([['stays'], [record]]);
  // The call of the first file is written again, so that it is deleted.
  file.save(SEEN, [aCall('stays')], []);
  expect([filesOf(folder).includes('a.db-live-1'), file.read().records]).toEqual([false, [record]]);
  const next = new LiveCallFile(path);
  next.begin(next.read());
  expect([idsOf(next), next.read().records]).toEqual([['stays'], [record]]);
  next.forget(['ends']);
  expect([idsOf(next), next.read().records]).toEqual([['stays'], []]);
  next.forget(['stays']);
  expect(filesOf(folder)).toEqual([]);
});

it('writes nothing after it is closed', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'));
  file.close();
  expect(() => file.save(SEEN, [aCall('one')], [])).toThrow('closed');
  expect(filesOf(folder)).toEqual([]);
});

it('deletes the file of calls that ended, and no file that says so of an older one', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'), 1);
  file.save(SEEN, [aCall('stays'), aCall('ends')], []);
  file.forget(['ends']);
  file.save(SEEN, [aCall('next')], []);
  file.forget(['next']);
  file.save(SEEN, [aCall('last')], []);
  expect(idsOf(file).toSorted()).toEqual(['last', 'stays']);
  file.forget(['stays', 'last']);
  expect([idsOf(file), filesOf(folder)]).toEqual([[], []]);
});

it('D12: has exactly the calls that go on after any writes, full files and ends of the process', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('save' as const), call: fc.nat(7), signals: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('forget' as const), call: fc.nat(7) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 6_000 }), (steps, bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'ringback-live-'));
      const path = join(folder, 'a.db');
      let file = new LiveCallFile(path, bytes);
      const model = new Map<string, { call: LiveCall; signals: number }>();
      let asked: readonly string[] = [];
      let changes = 0;
      const write = (callId: string, added: number) => {
        const known = model.get(callId);
        const before = known?.signals ?? 0;
        const call = aCall(callId, { itemsAffectedAt: (changes += 1) });
        model.set(callId, { call, signals: before + added });
        const first = asked.includes(callId) ? 0 : before;
        const signals = Array.from({ length: before + added - first }, (_, at) => aSignal(callId, first + at + 1));
        asked = file.save(SEEN, [call], signals);
      };
      try {
        for (const one of steps) {
          if (one.kind === 'save') write(`call-${one.call}`, one.signals);
          else if (one.kind === 'forget') {
            model.delete(`call-${one.call}`);
            file.forget([`call-${one.call}`]);
            asked = asked.filter((callId) => callId !== `call-${one.call}`);
          } else {
            file.close();
            file = new LiveCallFile(path, bytes);
            file.begin(file.read());
            asked = [];
          }
          const [again] = asked;
          if (again !== undefined) write(again, 0);
          const found = new LiveCallFile(path)
            .read()
            .calls.map(({ callId, body, signals }) => [callId, body, signals.length]);
          const wanted = [...model].map(([callId, { call, signals }]) => [callId, call, signals]);
          const byId = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]));
          expect(found.toSorted(byId)).toEqual(wanted.toSorted(byId));
        }
      } finally {
        file.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 150 },
  );
});
