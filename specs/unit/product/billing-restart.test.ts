/** Billing across a restart of the server: no minute is charged twice, and none is lost. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../sim/exchange/calls/call-event.ts';
import { type Moment, momentOf } from '../../../sim/exchange/calls/live-call.ts';
import type { LostSide } from '../../../sim/exchange/calls/lost-side.ts';
import { Product } from '../../../sim/product/product.ts';
import { SqlStore } from '../../../sim/store/sql-store.ts';
import { aRecord } from '../../contract/store/store.contract.ts';
import { audit } from './support/audit.ts';
import { aCallingService, createListeners } from './support/calling-service.ts';
import { clockedLimits } from './support/clocked-limits.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { aPerson, openStage, type Stage } from './support/stage.ts';
import { productLog } from './support/product-log.ts';

const OF_CALL = { caller: 'kai', callee: 'mei', isVideoCall: true };

describe.each(EVERY)('a server that restarts, on %s', (kind) => {
  const databases = databasesOf(kind);
  let stage: Stage;
  let callId: string;
  let listeners: ReturnType<typeof createListeners>;
  let product: Product | undefined;
  let ends: string[];
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    stage = await openStage(await databases.make());
    await stage.give('kai', 200);
    listeners = createListeners();
    ends = [];
    callId = `call-${Math.floor(stage.clock.wallTime())}-${kind}`;
  });
  afterEach(async () => {
    await product?.dispose();
    await databases.close();
  });

  /** A separate server, with an exchange that has this call. */
  async function serve(isBack: boolean, begun: Moment | null): Promise<void> {
    const calling = aCallingService({
      subscribe: listeners.subscribe,
      endCall: (id) => void ends.push(id),
      liveCalls: begun === null ? [] : [{ callId }],
      begunCalls: begun === null ? [] : [{ callId, ...OF_CALL, ...begun, isHeld: false, isBack }],
    });
    let made = 0;
    const make = () => `${kind}-${stage.clock.wallTime()}-${(made += 1)}`;
    product = new Product({
      clock: stage.clock,
      rateLimits: clockedLimits(stage.clock),
      ids: { uuid: make, token: make },
      log: productLog((entry) => void stage.fixture.log.push(entry), stage.clock),
      database: () => Promise.resolve(stage.database),
      people: [aPerson('kai', 'man'), aPerson('mei', 'woman')],
      isDemo: true,
      calling,
      isBilled: true,
      apiUrl: 'http://product.test',
      portrait: () => '<svg/>',
    });
    await product.opened();
    await product.settled();
  }

  async function hear(what: Pick<CallEvent, 'kind'> | object): Promise<void> {
    const event = { callId, ...OF_CALL, ...momentOf(stage.clock), ...what } as CallEvent;
    listeners.emit(event);
    await product?.settled();
  }

  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      stage.clock.advance(1_000);
      await product?.settled();
    }
  }

  const ended = (endResult: string, duration: number, lost: LostSide = null) => ({
    kind: 'ended',
    record: { endResult, duration },
    lost,
    endedBySide: null,
  });
  const spent = async () => 200 - (await stage.coins('kai')) - (await stage.ledger.balance('held:kai'));

  /** A call in its second minute when the server stops. */
  async function crashed(): Promise<Moment> {
    const at = momentOf(stage.clock);
    await serve(true, at);
    await pass(75);
    expect(await spent()).toBe(40);
    await product?.dispose();
    stage.clock.advance(4_000);
    return at;
  }

  it('S25 charges the minutes of the pause when both sides have returned, and not before', async () => {
    await serve(false, await crashed());
    await pass(60);
    expect(await spent()).toBe(40);
    await hear({ kind: 'returned' });
    await pass(1);
    expect(await spent()).toBe(60);
    await pass(59);
    expect(await spent()).toBe(80);
    await hear(ended('completed', 199_000));
    expect([await spent(), await audit(stage.database)]).toEqual([80, []]);
  });

  it('F48 charges one minute of the pause, for any change of the wall clock', async () => {
    const { at, clock } = await crashed();
    // The exchange can measure a pause by the wall clock alone: an hour more is an earlier start.
    await serve(false, { at, clock: clock - 3_600_000 });
    await hear({ kind: 'returned' });
    await pass(59);
    expect(await spent()).toBe(60);
    await pass(1);
    expect(await spent()).toBe(80);
    await product?.dispose();
    // The next server reads it unchanged.
    await serve(true, { at, clock: clock - 3_600_000 });
    await pass(59);
    expect(await spent()).toBe(80);
    await pass(1);
    expect(await spent()).toBe(100);
  });

  it('S25 refunds the last minute once when a side does not return', async () => {
    await serve(false, await crashed());
    await pass(65);
    await hear(ended('connection_lost', 75_000, 'exchange'));
    expect([await spent(), await audit(stage.database)]).toEqual([20, []]);
    await serve(false, null);
    expect(await spent()).toBe(20);
  });

  it('continues a meter that was paused on hold', async () => {
    const at = momentOf(stage.clock);
    await serve(true, at);
    await pass(20);
    await hear({ kind: 'held' });
    await pass(100);
    // It is at 50 seconds, before the second minute begins at 70.
    await product?.dispose();
    await serve(true, at);
    await pass(100);
    expect(await spent()).toBe(20);
    await hear({ kind: 'resumed' });
    await pass(19);
    expect(await spent()).toBe(20);
    await pass(1);
    expect(await spent()).toBe(40);
  });

  it('ends a call that cannot be paid after its 30 seconds of grace, with or without a restart', async () => {
    const began = momentOf(stage.clock);
    await stage.ask('kai', 'POST', '/gifts/send', { body: { to: 'mei', gift_id: 'rose', count: 18 } });
    await serve(true, began);
    await pass(80);
    expect([await spent(), ends]).toEqual([180 + 20, []]);
    await product?.dispose();
    await serve(false, began);
    await pass(19);
    expect(ends).toEqual([]);
    await pass(1);
    expect(ends).toEqual([callId]);
  });

  it('closes an abandoned billing session with the result of the history', async () => {
    await crashed();
    const store = new SqlStore(stage.database);
    await store.saveCalls([aRecord('kai', 'mei', { callId, endResult: 'connection_lost', duration: 75_000 })]);
    stage.clock.advance(600_000);
    await serve(false, null);
    expect([await spent(), await audit(stage.database)]).toEqual([20, []]);
    const page = await stage.database.db
      .selectFrom('ringback_charge_sessions')
      .where('session_id', '=', callId)
      .select(['is_open', 'end_result', 'duration', 'count'])
      .executeTakeFirst();
    expect(page).toEqual({ is_open: 0, end_result: 'connection_lost', duration: 75_000, count: 1 });
  });
});
