/** The messages of the exchange wait for the store, in order, and for a limited time. */
import { beforeEach, describe, expect, it } from 'vitest';
import { WriteQueue } from '../../../sim/exchange/delivery/write-queue.ts';
import { Outbox } from '../../../sim/exchange/delivery/outbox.ts';
import { HandClock } from '../support/hand-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

let clock: HandClock;
let writeQueue: WriteQueue;
let sent: string[];
/** Ends the pending write, or fails it. */
let writes: { done: () => void; fail: () => void }[];

beforeEach(() => {
  clock = new HandClock();
  writeQueue = new WriteQueue({ error: () => undefined }, clock);
  sent = [];
  writes = [];
});

const send = (outbox: Outbox, what: string) => outbox.send(() => void sent.push(what));
const write = () =>
  writeQueue.keep(
    'a',
    () => new Promise((done, fail) => void writes.push({ done, fail: () => fail(new Error('down')) })),
  );

describe('an outbox', () => {
  it('sends at once when nothing has to be written', () => {
    send(new Outbox([writeQueue], clock, true), 'a');
    write();
    send(new Outbox([new WriteQueue({ error: () => undefined }, clock)], clock, false), 'b');
    const careless = new Outbox([writeQueue], clock, false);
    send(careless, 'c');
    expect([sent, careless.passed(), clock.pending]).toEqual([['a', 'b', 'c'], null, 0]);
  });

  it('sends each message after the earlier writes, in order', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    write();
    send(outbox, 'a');
    send(outbox, 'b');
    write();
    send(outbox, 'c');
    await turn();
    expect([sent, clock.pending]).toEqual([[], 1]);
    writes[0]?.done();
    await turn();
    expect([sent, clock.pending]).toEqual([['a', 'b'], 1]);
    writes[1]?.done();
    await turn();
    expect([sent, clock.pending]).toEqual([['a', 'b', 'c'], 0]);
    send(outbox, 'd');
    expect([sent.at(-1), clock.pending]).toEqual(['d', 0]);
  });

  it('never sends before an earlier message: a message sent during the flush is the last', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    write();
    outbox.send(() => {
      sent.push('a');
      send(outbox, 'c');
    });
    send(outbox, 'b');
    await turn();
    writes[0]?.done();
    await turn();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('S27: sends everything when the store fails, and at once while it fails', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    write();
    write();
    send(outbox, 'a');
    await turn();
    writes[0]?.fail();
    await turn();
    // Only the retry of the write is left.
    expect([sent, clock.pending, outbox.passed()]).toEqual([['a'], 1, null]);
    writeQueue.stop();
    expect(clock.pending).toBe(0);
    send(outbox, 'b');
    expect(sent).toEqual(['a', 'b']);
  });

  it('S27: sends each message after a second at most', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    write();
    send(outbox, 'a');
    clock.advance(600);
    send(outbox, 'b');
    clock.advance(399);
    expect(sent).toEqual([]);
    clock.advance(1);
    expect([sent, clock.pending]).toEqual([['a'], 1]);
    clock.advance(599);
    expect(sent).toEqual(['a']);
    clock.advance(1);
    expect([sent, clock.pending]).toEqual([['a', 'b'], 0]);
    send(outbox, 'c');
    clock.advance(999);
    expect(sent).toEqual(['a', 'b']);
    clock.advance(1);
    expect(sent).toEqual(['a', 'b', 'c']);
    await turn();
    writes[0]?.done();
    await turn();
    expect(sent).toEqual(['a', 'b', 'c']);
  });

  it('holds only the messages of the devices that a write is about, in their order, and those that wait for all', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    const sendTo = (userId: string, what: string) =>
      outbox.send(() => void sent.push(what), { userId, clientId: `${userId}-1` });
    const writeAbout = (userId: string) =>
      writeQueue.keep('a record', () => new Promise((done) => void writes.push({ done, fail: done })), {
        devices: [{ userId, clientId: `${userId}-1` }],
      });
    writeAbout('alice');
    sendTo('alice', 'a1');
    sendTo('bob', 'b1');
    outbox.send(() => void sent.push('all'));
    sendTo('bob', 'b2');
    writeAbout('bob');
    sendTo('bob', 'b3');
    sendTo('alice', 'a2');
    expect(sent).toEqual(['b1', 'b2']);
    await turn();
    writes[0]?.done();
    await turn();
    expect(sent).toEqual(['b1', 'b2', 'a1', 'all', 'a2']);
    write();
    sendTo('carol', 'c1');
    sendTo('alice', 'a3');
    await turn();
    writes[1]?.done();
    await turn();
    expect(sent.slice(5)).toEqual(['b3']);
    writes[2]?.done();
    await turn();
    expect(sent.slice(6)).toEqual(['c1', 'a3']);
    expect([outbox.passed(), clock.pending]).toEqual([null, 0]);
  });

  it('waits for the writes of each queue, and not for one that fails', async () => {
    const other = new WriteQueue({ error: () => undefined }, clock);
    const outbox = new Outbox([other, writeQueue], clock, true);
    const ends: { done: () => void; fail: (error: Error) => void }[] = [];
    other.keep('a state', () => new Promise((done, fail) => void ends.push({ done, fail })));
    write();
    send(outbox, 'a');
    await turn();
    writes[0]?.done();
    await turn();
    expect(sent).toEqual([]);
    ends[0]?.fail(new Error('down'));
    await turn();
    expect([sent, outbox.passed()]).toEqual([['a'], null]);
  });

  it('sends the messages after one that throws', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    write();
    outbox.send(() => {
      throw new Error('a closed link');
    });
    send(outbox, 'b');
    clock.advance(500);
    send(outbox, 'c');
    await turn();
    expect(() => clock.advance(500)).toThrow('a closed link');
    writes[0]?.done();
    await turn();
    expect(sent).toEqual(['b', 'c']);
  });

  it('reports when everything so far is sent', async () => {
    const outbox = new Outbox([writeQueue], clock, true);
    expect(outbox.passed()).toBeNull();
    write();
    send(outbox, 'a');
    void outbox.passed()?.then(() => sent.push('passed'));
    await turn();
    expect(sent).toEqual([]);
    writes[0]?.done();
    await turn();
    expect([sent, outbox.passed()]).toEqual([['a', 'passed'], null]);
  });
});

describe('a writeQueue', () => {
  it('counts the requested and the finished writes, and emits each change of a count', async () => {
    const seen: unknown[] = [];
    const state = () => [writeQueue.asked, writeQueue.done, writeQueue.isFailing, writeQueue.has(writeQueue.asked)];
    writeQueue.onProgress(() => seen.push(state()));
    expect(state()).toEqual([0, 0, false, true]);
    write();
    expect(state()).toEqual([1, 0, false, false]);
    await turn();
    writes[0]?.fail();
    await turn();
    expect(seen).toEqual([[1, 0, true, true]]);
    write();
    await turn();
    expect(writes).toHaveLength(2);
    writes[1]?.done();
    await turn();
    expect(seen.slice(1)).toEqual([[2, 1, false, false]]);
    writes[2]?.done();
    await turn();
    expect(seen.slice(2)).toEqual([[2, 2, false, true]]);
  });

  it('lets a device wait for its newest write, also when an older one covers another change', async () => {
    const [about, device] = [{}, { userId: 'alice', clientId: 'alice-1' }];
    const keep = (options: object) =>
      writeQueue.keep('a', () => new Promise((done) => void writes.push({ done, fail: done })), {
        devices: [device],
        ...options,
      });
    write();
    keep({ about });
    keep({});
    expect(writeQueue.neededBy(device)).toBe(3);
    keep({ about });
    expect([writeQueue.asked, writeQueue.neededBy(device)]).toEqual([3, 3]);
  });

  it.each([64, 65])('forgets its devices when nothing waits and they are many: %i', async (many) => {
    const devices = Array.from({ length: many }, (_, at) => ({ userId: 'bob', clientId: `bob-${at}` }));
    for (const device of devices) writeQueue.keep('a record', () => Promise.resolve(), { devices: [device] });
    const places = () => devices.map((device) => writeQueue.neededBy(device));
    const all = devices.map((_, at) => at + 1);
    expect(places()).toEqual(all);
    await writeQueue.settled();
    expect(places()).toEqual(many === 64 ? all : devices.map(() => 0));
    expect(writeQueue.has(many)).toBe(true);
  });

  it('writes the waiting entries at the next read, and not before', async () => {
    write();
    await turn();
    writes[0]?.fail();
    await turn();
    expect(writes).toHaveLength(1);
    const settled = writeQueue.settled();
    await turn();
    writes[1]?.done();
    await settled;
    expect([writes.length, writeQueue.has(writeQueue.asked), writeQueue.isFailing]).toEqual([2, true, false]);
  });
});
