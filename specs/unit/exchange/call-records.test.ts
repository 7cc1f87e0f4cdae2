/** The writes of ended calls, in a queue with other writes. */
import { beforeEach, describe, expect, it } from 'vitest';
import { CallRecords } from '../../../sim/exchange/calls/call-records.ts';
import { WriteQueue } from '../../../sim/exchange/delivery/write-queue.ts';
import type { EndRecord } from '../../../sim/exchange/calls/call.ts';
import type { RefusedRecord } from '../../../sim/exchange/store.ts';
import { aRecord } from '../../contract/store/store.contract.ts';
import { HandClock } from '../support/hand-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

let queue: WriteQueue;
let records: CallRecords;
/** The writes of the store that have begun, each with its ids and its end. */
let writes: {
  readonly ids: string[];
  readonly end: (error?: Error) => void;
  readonly refuse: (...callIds: string[]) => void;
}[];
let lost: unknown[];
let logged: string[];

beforeEach(() => {
  writes = [];
  lost = [];
  logged = [];
  const log = {
    error: (message: string, fields: Record<string, unknown> = {}) => {
      logged.push(`${message} ${String(fields['call'] ?? fields['write'])}`);
      if (message === 'the record of a call was dropped') lost.push(Object.values(fields)[0]);
    },
  };
  const saveCalls = (saved: readonly EndRecord[]) =>
    new Promise<readonly RefusedRecord[]>((resolve, reject) => {
      writes.push({
        ids: saved.map(({ callId }) => callId),
        end: (error) => (error ? reject(error) : resolve([])),
        refuse: (...callIds) => resolve(callIds.map((callId) => ({ callId, error: new Error('too long') }))),
      });
    });
  queue = new WriteQueue(log, new HandClock());
  records = new CallRecords({ saveCalls }, queue, log);
});

const keep = (callId: string) => records.keep(aRecord('alice', 'bob', { callId }), []);
const idsOf = (from: number, count: number) => Array.from({ length: count }, (_, at) => `call-${from + at}`);
/** Ends every write that has begun or begins, until all is written. Returns their ids. */
async function writeAll(): Promise<string[]> {
  let isDone = false;
  void queue.settled().then(() => (isDone = true));
  const ids: string[] = [];
  while (!isDone) {
    for (const write of writes.splice(0)) {
      write.end();
      ids.push(...write.ids);
    }
    await turn();
  }
  return ids;
}

describe('the records of ended calls', () => {
  it('S27: are all in the store before the messages about their ends, also when more wait than one write has', async () => {
    keep('first');
    await turn();
    const ids = idsOf(0, 600);
    for (const id of ids) keep(id);
    // Messages that are sent now wait for the queue to come so far.
    const { asked } = queue;
    const saved: string[] = [];
    while (queue.done < asked) {
      const [write] = writes.splice(0, 1);
      write?.end();
      saved.push(...(write?.ids ?? []));
      await turn();
    }
    expect(saved).toEqual(['first', ...ids]);
  });

  it.each(['succeeds', 'fails'])('are written once when their write is dropped while it runs, and %s', async (how) => {
    keep('running');
    await turn();
    keep('waiting');
    // The queue has too many other writes, and drops its oldest.
    for (let at = 0; at < 10_000; at += 1) queue.keep('another', () => Promise.resolve());
    const [running] = writes.splice(0);
    expect(running?.ids).toEqual(['running']);
    running?.end(how === 'fails' ? new Error('down') : undefined);
    await turn();
    const written = await writeAll();
    expect([written, lost]).toEqual([how === 'fails' ? ['running', 'waiting'] : ['waiting'], []]);
  });

  it('hold nothing up when the database refuses one, which is dropped at once with a line of the log', async () => {
    for (const callId of ['one', 'bad', 'two']) keep(callId);
    await turn();
    const [write] = writes.splice(0);
    expect(write?.ids).toEqual(['one', 'bad', 'two']);
    write?.refuse('bad');
    await turn();
    expect([queue.isFailing, queue.done === queue.asked]).toEqual([false, true]);
    expect(logged).toEqual(['the database refused the record of a call bad']);
    keep('next');
    expect(await writeAll()).toEqual(['next']);
  });

  it('are dropped with a line of the log each, the oldest first, when too many wait', async () => {
    const ids = idsOf(0, 10_002);
    for (const id of ids.slice(0, 2)) keep(id);
    await turn();
    for (const id of ids.slice(2)) keep(id);
    writes.splice(0)[0]?.end(new Error('down'));
    await turn();
    expect(lost).toEqual(ids.slice(0, 2));
    expect(await writeAll()).toEqual(ids.slice(2));
  });
});
