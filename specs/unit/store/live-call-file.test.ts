import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import type { EndRecord } from '../../../sim/exchange/calls/call.ts';
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
/** Returns the files that have something. The last one stays open, and empty, after its calls. */
const fullFilesOf = (folder: string): string[] =>
  filesOf(folder).filter((name) => statSync(join(folder, name)).size > 0);
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
  // The next line says so.
  next.save(SEEN, [], []);
  expect([idsOf(next), next.read().records]).toEqual([['stays'], []]);
  next.forget(['stays']);
  expect(fullFilesOf(folder)).toEqual([]);
  next.close();
  expect(filesOf(folder)).toEqual([]);
});

it('skips parts of another form and counts them, and keeps a call of another version as it is', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const file = new LiveCallFile(path);
  file.save(SEEN, [aCall('one')], []);
  file.close();
  const [name = ''] = filesOf(folder);
  const other = { callId: 'other', form: 2 };
  const lines = [
    'null',
    '5',
    '"text"',
    '{"calls":[null]}',
    '{"calls":[{"callId":7}]}',
    '{"forget":"one"}',
    '{"over":[{}]}',
    '{"calls":',
  ];
  const [record, wrong] = [aRecord('alice', 'bob'), { ...aRecord('alice', 'bob'), callId: 'two', endResult: 7 }];
  const mixed = {
    seen: 'now',
    calls: [null, other],
    signals: [{ ...aSignal('other', 1), sequence: '1' }, aSignal('one', 1)],
    over: [wrong, record],
  };
  const text = [...lines, JSON.stringify({ calls: [aCall('two')] }), JSON.stringify(mixed)].join('\n');
  writeFileSync(join(folder, name), `${readFileSync(join(folder, name), 'utf8')}${text}\n`);
  const { calls, records, skipped } = new LiveCallFile(path).read();
  expect([calls.map(({ callId, signals }) => [callId, signals.length]), calls[1]?.body, records]).toEqual([
    [
      ['one', 1],
      ['other', 0],
    ],
    other,
    [record],
  ]);
  expect([skipped, calls[0]?.seen]).toEqual([lines.length + 4, SEEN]);
});

it('F54: a file that cannot be deleted ends no call with an error, and its calls do not come back', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const file = new LiveCallFile(path, 1);
  file.save(SEEN, [aCall('one')], []);
  const former = join(folder, 'a.db-live-1');
  renameSync(former, join(folder, 'kept'));
  // A folder cannot be deleted as a file.
  mkdirSync(former);
  file.end(aRecord('alice', 'bob', { callId: 'one' }));
  file.forget(['one']);
  file.save(SEEN, [], []);
  rmdirSync(former);
  renameSync(join(folder, 'kept'), former);
  expect([idsOf(file), file.read().records]).toEqual([[], []]);
  file.save(SEEN, [aCall('two')], []);
  expect([idsOf(file), file.read().records]).toEqual([['two'], []]);
  file.forget(['two']);
  expect(fullFilesOf(folder)).toEqual([]);
});

it('F54: a former file stays until the next one has the records that are not saved', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  let isFull = false;
  const file = new LiveCallFile(path, 1, {
    write(descriptor, bytes) {
      if (isFull && Buffer.from(bytes).includes('"over"')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return writeSync(descriptor, bytes);
    },
  });
  file.save(SEEN, [aCall('stays')], []);
  const record = aRecord('alice', 'bob');
  file.end(record);
  file.save(SEEN, [aCall('stays')], []);
  isFull = true;
  const saveTillNext = () => {
    for (let at = 0; at < 5; at += 1) file.save(SEEN, [aCall('stays')], []);
  };
  expect(saveTillNext).toThrow('full');
  expect([idsOf(file), file.read().records]).toEqual([['stays'], [record]]);
  file.forget(['stays']);
  expect(file.read().records).toEqual([record]);
  isFull = false;
  saveTillNext();
  expect([idsOf(file), file.read().records]).toEqual([['stays'], [record]]);
});

/** A system whose writes fail after a half while `fails` says so of their text. */
function aSystem(fails: (text: string) => boolean) {
  const texts: string[] = [];
  return {
    texts,
    write(descriptor: number, bytes: Uint8Array) {
      const text = Buffer.from(bytes).toString();
      texts.push(text);
      if (!fails(text)) return writeSync(descriptor, bytes);
      writeSync(descriptor, bytes.subarray(0, bytes.length / 2));
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  };
}

it('F54 ENT-15: the file of a call stays until its end is written', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  let isFull = false;
  const file = new LiveCallFile(
    path,
    1,
    aSystem(() => isFull),
  );
  file.save(SEEN, [aCall('ends'), aCall('stays')], []);
  file.save(SEEN, [aCall('stays')], []);
  isFull = true;
  const record = aRecord('alice', 'bob', { callId: 'ends' });
  file.end(record);
  expect([filesOf(folder), idsOf(file), file.read().records]).toEqual([
    ['a.db-live-1', 'a.db-live-2'],
    ['ends', 'stays'],
    [],
  ]);
  isFull = false;
  file.save(SEEN, [], []);
  expect([filesOf(folder).includes('a.db-live-1'), idsOf(file), file.read().records]).toEqual([
    false,
    ['stays'],
    [record],
  ]);
});

it('F54 S14: calls that end while no line can be written cost no more than one try, and a line has few of them', () => {
  const path = join(aFolder(), 'a.db');
  let isFull = false;
  const system = aSystem(() => isFull);
  const file = new LiveCallFile(path, undefined, system);
  file.save(SEEN, [aCall('stays')], []);
  isFull = true;
  system.texts.splice(0);
  const records = Array.from({ length: 1_000 }, (_, at) => aRecord('alice', 'bob', { callId: `call-${at}` }));
  for (const record of records) file.end(record);
  expect(system.texts).toHaveLength(1);
  // No file has these.
  file.forget(records.slice(500).map(({ callId }) => callId));
  expect(() => file.save(SEEN, [], [])).toThrow('full');
  isFull = false;
  system.texts.splice(0);
  file.save(SEEN, [], []);
  const ended = system.texts.map((text) => [JSON.parse(text).over?.length, JSON.parse(text).forget]);
  expect(ended.map(([over]) => over)).toEqual([200, 200, 100]);
  expect(ended.map(([, forget]) => forget)).toEqual([undefined, undefined, undefined]);
  expect(file.read().records).toEqual(records.slice(0, 500));
});

it('writes no line for a saved record while a call goes on: the next line has it', () => {
  const path = join(aFolder(), 'a.db');
  const system = aSystem(() => false);
  const file = new LiveCallFile(path, undefined, system);
  file.save(SEEN, [aCall('stays'), aCall('ends')], []);
  file.end(aRecord('alice', 'bob', { callId: 'ends' }));
  system.texts.splice(0);
  file.forget(['ends']);
  expect(system.texts).toEqual([]);
  file.save(SEEN, [], []);
  expect([system.texts.length, idsOf(file), file.read().records]).toEqual([1, ['stays'], []]);
});

it('has nothing of ended calls but their records after a write while no call goes on', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'));
  const [waits, saved] = ['waits', 'saved'].map((callId) => aRecord('alice', 'bob', { callId }));
  if (!waits || !saved) throw new Error('there are two');
  file.save(SEEN, [aCall('waits'), aCall('saved')], [aSignal('waits', 1)]);
  file.end(waits);
  file.save(SEEN, [], []);
  expect(filesOf(folder)).toEqual(['a.db-live-1']);
  file.end(saved);
  file.forget(['saved']);
  // Most records wait for a moment only, so they get a file of their own four seconds after the last call.
  const later = (ms: number) => file.save({ ...SEEN, clock: SEEN.clock + ms }, [], []);
  later(0);
  later(3_999);
  expect(filesOf(folder)).toEqual(['a.db-live-1']);
  later(4_000);
  expect(filesOf(folder)).toEqual(['a.db-live-2']);
  const text = readFileSync(join(folder, 'a.db-live-2'), 'utf8');
  expect([text.includes('"calls"'), text.includes('"signals"'), file.read().records]).toEqual([false, false, [waits]]);
  file.forget(['waits']);
  file.save(SEEN, [], []);
  expect(fullFilesOf(folder)).toEqual([]);
  // The next call begins the four seconds again.
  file.save(SEEN, [aCall('next')], []);
  file.end(aRecord('alice', 'bob', { callId: 'next' }));
  later(4_001);
  expect(fullFilesOf(folder)).toEqual(['a.db-live-2']);
});

it('S14: writes one line for the start of a call and one for its end, however many records wait', () => {
  const folder = aFolder();
  const system = aSystem(() => false);
  const file = new LiveCallFile(join(folder, 'a.db'), undefined, system);
  const records = Array.from({ length: 300 }, (_, at) => aRecord('alice', 'bob', { callId: `call-${at}` }));
  for (const record of records) {
    file.save(SEEN, [aCall(record.callId)], []);
    file.end(record);
  }
  expect([filesOf(folder), system.texts.length]).toEqual([['a.db-live-1'], 600]);
  expect(file.read().records).toEqual(records);
});

it('keeps one file open while calls come and go one by one', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'));
  const made = new Set<number>();
  for (const callId of ['one', 'two', 'three']) {
    file.save(SEEN, [aCall(callId)], []);
    made.add(statSync(join(folder, 'a.db-live-1')).ino);
    file.end(aRecord('alice', 'bob', { callId }));
    file.forget([callId]);
  }
  expect([filesOf(folder), made.size]).toEqual([['a.db-live-1'], 1]);
  file.save(SEEN, [], []);
  expect(fullFilesOf(folder)).toEqual([]);
  file.save(SEEN, [aCall('four')], []);
  made.add(statSync(join(folder, 'a.db-live-1')).ino);
  expect([idsOf(file), made.size]).toEqual([['four'], 1]);
});

it('keeps no record that the database has taken after the last write', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'));
  for (const callId of ['one', 'two']) {
    file.save(SEEN, [aCall(callId)], []);
    file.end(aRecord('alice', 'bob', { callId }));
  }
  file.save(SEEN, [], []);
  file.forget(['one']);
  // A start would save a record again, also one that was erased meanwhile.
  expect(file.read().records.map(({ callId }) => callId)).toEqual(['two']);
  file.forget(['two']);
  expect(fullFilesOf(folder)).toEqual([]);
});

it('leaves no file after a stop without calls and without records that wait', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const first = new LiveCallFile(path);
  first.begin(EMPTY);
  first.save(SEEN, [], []);
  expect(filesOf(folder)).toEqual([]);
  first.close();
  const second = new LiveCallFile(path);
  second.begin(EMPTY);
  second.save(SEEN, [aCall('one')], []);
  second.end(aRecord('alice', 'bob', { callId: 'one' }));
  second.forget(['one']);
  second.close();
  expect(filesOf(folder)).toEqual([]);
});

it('F54: goes on with a full file while the next one cannot be made', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'), 1);
  const next = join(folder, 'a.db-live-2');
  mkdirSync(next);
  expect(file.save(SEEN, [aCall('one')], [])).toEqual([]);
  expect(file.save(SEEN, [aCall('two')], [])).toEqual([]);
  rmdirSync(next);
  expect(idsOf(file)).toEqual(['one', 'two']);
  expect(file.save(SEEN, [], [])).toEqual(['one', 'two']);
  expect(filesOf(folder)).toEqual(['a.db-live-1', 'a.db-live-2']);
});

it('F54: follows a full file also beside a former one that cannot be deleted', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const file = new LiveCallFile(path, 2_000);
  while (file.save(SEEN, [aCall('one')], []).length === 0);
  const former = join(folder, 'a.db-live-1');
  rmSync(former);
  // A folder cannot be deleted as a file.
  mkdirSync(former);
  file.save(SEEN, [aCall('one')], []);
  for (let at = 0; at < 20; at += 1) file.save(SEEN, [aCall('one')], []);
  rmdirSync(former);
  expect(filesOf(folder).length).toBeGreaterThan(2);
  expect(idsOf(file)).toEqual(['one']);
});

it('writes the frame of a signal as it is, and reads it also as text, as older versions wrote it', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const system = aSystem(() => false);
  const file = new LiveCallFile(path, undefined, system);
  const frame = '{"type":"offer","payload":{"sdp":"a\\r\\n\\"é\\ud800"},"none":null}';
  const [one, two] = [1, 2].map((sequence) => ({ ...aSignal('one', sequence), frame }));
  if (!one || !two) throw new Error('there are two');
  file.save(SEEN, [aCall('one')], [one]);
  expect(system.texts[0]).toContain(`"frame":${frame}`);
  expect(JSON.parse(system.texts[0] ?? '')).toMatchObject({ seen: SEEN, calls: [{}], signals: [{ callId: 'one' }] });
  file.close();
  const wrong = [5, null, true].map((value, at) => ({ ...one, sequence: 10 + at, frame: value }));
  const older = JSON.stringify({ signals: [two, ...wrong] });
  writeFileSync(join(folder, 'a.db-live-1'), `${older}\n`, { flag: 'a' });
  const { calls, skipped } = new LiveCallFile(path).read();
  expect([calls.map(({ signals }) => signals), skipped]).toEqual([[[one, two]], 3]);
});

it('ENT-15: names the calls that ended whose records cannot be read, until they are in the database', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const unreadable = (callId: string) => ({ ...aRecord('alice', 'bob', { callId }), endResult: 7 });
  const lines = [
    { calls: [aCall('lost')], over: [unreadable('lost'), unreadable('saved'), unreadable('again'), {}] },
    { forget: ['saved'], over: [aRecord('alice', 'bob', { callId: 'again' })] },
    { over: [unreadable('last')] },
  ];
  writeFileSync(`${path}-live-1`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const file = new LiveCallFile(path);
  expect(file.read()).toMatchObject({ unreadable: ['lost', 'last'], skipped: 5, records: [{ callId: 'again' }] });
});

it('F54: a start goes on beside a former file that cannot be deleted, and deletes it later', () => {
  const folder = aFolder();
  const path = join(folder, 'a.db');
  const first = new LiveCallFile(path);
  first.save(SEEN, [aCall('one')], []);
  first.close();
  const next = new LiveCallFile(path);
  const left = next.read();
  const former = join(folder, 'a.db-live-1');
  rmSync(former);
  // A folder cannot be deleted as a file.
  mkdirSync(former);
  next.begin(left);
  rmdirSync(former);
  writeFileSync(former, '');
  next.save(SEEN, [], []);
  expect([filesOf(folder), idsOf(next)]).toEqual([['a.db-live-2'], ['one']]);
  next.close();
  rmSync(join(folder, 'a.db-live-2'));
  mkdirSync(former);
  expect(() => new LiveCallFile(path).begin(EMPTY)).not.toThrow();
});

it('F54: a start deletes no file whose records it cannot write', () => {
  const path = join(aFolder(), 'a.db');
  const former = new LiveCallFile(path);
  former.end(aRecord('alice', 'bob'));
  former.close();
  const next = new LiveCallFile(path, undefined, {
    write() {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    },
  });
  const left = next.read();
  expect(() => next.begin(left)).toThrow('full');
  expect(new LiveCallFile(path).read()).toEqual(left);
});

it('follows a file after an hour, so that nothing of an ended call stays for long', () => {
  const folder = aFolder();
  const file = new LiveCallFile(join(folder, 'a.db'));
  file.save({ at: 0, clock: 1_000 }, [aCall('stays')], []);
  file.save({ at: 0, clock: 3_600_999 }, [], []);
  expect(filesOf(folder)).toEqual(['a.db-live-1']);
  expect(file.save({ at: 0, clock: 3_601_000 }, [], [])).toEqual(['stays']);
  file.save({ at: 0, clock: 3_601_001 }, [aCall('stays')], []);
  expect([filesOf(folder), idsOf(file)]).toEqual([['a.db-live-2'], ['stays']]);
});

it('S14: keeps ten thousand records that are not saved, the newest', () => {
  const file = new LiveCallFile(join(aFolder(), 'a.db'));
  const ids = Array.from({ length: 10_002 }, (_, at) => `call-${at}`);
  for (const callId of ids) file.end(aRecord('alice', 'bob', { callId }));
  expect(file.read().records.map(({ callId }) => callId)).toEqual(ids.slice(2));
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
  expect([idsOf(file), fullFilesOf(folder)]).toEqual([[], []]);
});

it('D12 ENT-15: has exactly the calls that go on and the records that are not saved, after any writes, failures and ends of the process', () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('save' as const), call: fc.nat(3), signals: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget' as const), call: fc.nat(3) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('end' as const), call: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('saved' as const), call: fc.nat(3) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('disk' as const), isFull: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('beat' as const) }) },
  );
  const byId = (a: unknown[], b: unknown[]) => String(a[0]).localeCompare(String(b[0]));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 3_000 }), (steps, bytes) => {
      const folder = mkdtempSync(join(tmpdir(), 'ringback-live-'));
      const path = join(folder, 'a.db');
      let isFull = false;
      const open = () =>
        new LiveCallFile(
          path,
          bytes,
          aSystem(() => isFull),
        );
      let file = open();
      const model = new Map<string, { call: LiveCall; signals: number }>();
      const records = new Map<string, EndRecord>();
      const saved = new Set<string>();
      const written = new Set<string>();
      let asked: readonly string[] = [];
      let changes = 0;
      // A call that ended has another id than the next one.
      const made = new Map<number, number>();
      const idOf = (call: number) => `call-${call}-${made.get(call) ?? 0}`;
      const write = (callId: string, added: number) => {
        const known = model.get(callId);
        const before = known?.signals ?? 0;
        const call = aCall(callId, { itemsAffectedAt: (changes += 1) });
        const first = asked.includes(callId) ? 0 : before;
        const signals = Array.from({ length: before + added - first }, (_, at) => aSignal(callId, first + at + 1));
        if (isFull) return expect(() => file.save(SEEN, [call], signals)).toThrow('full');
        model.set(callId, { call, signals: before + added });
        written.add(callId);
        asked = file.save(SEEN, [call], signals);
      };
      /** Removes a call from the live ones. */
      const over = (call: number) => {
        const callId = idOf(call);
        model.delete(callId);
        asked = asked.filter((one) => one !== callId);
        made.set(call, (made.get(call) ?? 0) + 1);
        return callId;
      };
      const check = () => {
        const found = new LiveCallFile(path).read();
        // A start does not continue a call whose record the database has. `SqlStore` looks for it.
        const calls = found.calls.filter(({ callId }) => !saved.has(callId));
        for (const callId of [...model.keys(), ...records.keys()]) {
          const has = [...calls, ...found.records].some((one) => one.callId === callId);
          // A call that began while nothing could be written is in no file.
          if (!has && !(isFull && !written.has(callId))) throw new Error(`nothing has ${callId}`);
        }
        if (isFull) return;
        const wanted = [...model].map(([callId, { call, signals }]) => [callId, call, signals]);
        const have = calls.map(({ callId, body, signals }) => [callId, body, signals.length]);
        expect(have.toSorted(byId)).toEqual(wanted.toSorted(byId));
        // A saved record may be there until the next line.
        const unsaved = found.records.filter(({ callId }) => !saved.has(callId));
        expect(unsaved).toEqual(expect.arrayContaining([...records.values()]));
        expect(unsaved).toHaveLength(records.size);
      };
      try {
        for (const one of steps) {
          if (one.kind === 'save') write(idOf(one.call), one.signals);
          else if (one.kind === 'forget' && !isFull) file.forget([over(one.call)]);
          else if (one.kind === 'end') {
            const callId = over(one.call);
            const record = aRecord('alice', 'bob', { callId });
            records.set(callId, record);
            file.end(record);
          } else if (one.kind === 'saved') {
            const [callId] = records.keys();
            if (callId === undefined) continue;
            records.delete(callId);
            saved.add(callId);
            file.forget([callId]);
          } else if (one.kind === 'disk') {
            isFull = one.isFull;
            // The next write has the ends that could not be written.
            if (!isFull) asked = file.save(SEEN, [], []);
          } else if (one.kind === 'beat') {
            try {
              asked = file.save(SEEN, [], []);
            } catch (error) {
              if (!isFull) throw error;
            }
          } else if (one.kind === 'restart' && !isFull) {
            file.close();
            file = open();
            const left = file.read();
            file.begin({ ...left, calls: left.calls.filter(({ callId }) => !saved.has(callId)) });
            asked = [];
          }
          const [again] = asked;
          if (again !== undefined && !isFull) write(again, 0);
          check();
        }
      } finally {
        file.close();
        rmSync(folder, { recursive: true });
      }
    }),
    { numRuns: 300 },
  );
});

it('starts the next file when it is full, also after the end of a call could not be written and the file was emptied', () => {
  const folder = aFolder();
  let isFull = false;
  const system = aSystem(() => isFull);
  const file = new LiveCallFile(join(folder, 'a.db'), 3_000, system);
  file.begin(EMPTY);
  file.save(SEEN, [aCall('one')], []);
  isFull = true;
  file.end(aRecord('alice', 'bob', { callId: 'one' }));
  isFull = false;
  file.forget(['one']);
  file.save(SEEN, [], []);
  expect(fullFilesOf(folder)).toEqual([]);
  const ids = Array.from({ length: 60 }, (_, at) => `call-${at}`);
  for (const [at, callId] of ids.entries()) {
    const again = new Set(file.save(SEEN, [aCall(callId)], []));
    file.forget(ids.slice(0, at));
    file.save(SEEN, again.has(callId) ? [aCall(callId)] : [], []);
  }
  expect([idsOf(file), filesOf(folder).length <= 2, filesOf(folder).includes('a.db-live-1')]).toEqual([
    ['call-59'],
    true,
    false,
  ]);
});

it('deletes a file that the system cannot empty', () => {
  const folder = aFolder();
  const empty = () => {
    throw new Error('it cannot');
  };
  const file = new LiveCallFile(join(folder, 'a.db'), undefined, { empty });
  file.save(SEEN, [aCall('one')], []);
  file.end(aRecord('alice', 'bob', { callId: 'one' }));
  file.forget(['one']);
  file.save(SEEN, [], []);
  expect(filesOf(folder)).toEqual([]);
  file.save(SEEN, [aCall('two')], []);
  expect([idsOf(file), filesOf(folder).length]).toEqual([['two'], 1]);
});
