/** Billing at two nodes of a cluster, on one database: a call moves from one to the other, and no charge does twice. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CallEvent, EndedEvent } from '../../../sim/exchange/calls/call-event.ts';
import type { ExchangeEvent } from '../../../sim/exchange/events.ts';
import type { Billing } from '../../../sim/product/billing/billing.ts';
import { MemoryEventHub } from '../../../sim/product/events/memory-event-hub.ts';
import { Ledger } from '../../../sim/product/ledger/ledger.ts';
import { Wallets } from '../../../sim/product/wallet/wallets.ts';
import { nodeIds } from '../../../sim/server/node-ports.ts';
import type { Database } from '../../../sim/store/database.ts';
import { HandClock } from '../support/hand-clock.ts';
import { audit } from './support/audit.ts';
import { BillingDesk, type BilledNode } from './support/billing-desk.ts';
import { createListeners } from './support/calling-service.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { JoinedNodes, quiet } from './support/joined-nodes.ts';

const OF_CALL = { callId: 'c1', caller: 'kai', callee: 'mei', isVideoCall: true };

describe.each(EVERY)('a billed call of a cluster, in %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let desk: BillingDesk;
  type OpenNode = BilledNode & { readonly billing: Billing; readonly owned: Set<string> };
  let one: OpenNode;
  let two: OpenNode;
  let isCutOff: boolean;
  let began: number;

  const node = async (name: string) => {
    const owned = new Set<string>();
    const ownsCall = async (callId: string) => {
      if (isCutOff) throw new Error('the node is cut off from the shared state');
      return owned.has(callId) && made.live.has(callId);
    };
    const made = { name, live: new Set<string>(), owned, ownsCall, listeners: createListeners() };
    const billing = desk.open(database, made);
    await billing.start();
    return { ...made, billing };
  };

  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    desk = await BillingDesk.open(database);
    desk.billing.dispose();
    await desk.offer('mei');
    await desk.give('kai', 200);
    isCutOff = false;
    [one, two] = [await node('n1'), await node('n2')];
    began = desk.clock.now();
  });
  afterEach(async () => {
    for (const { billing } of [one, two]) billing.dispose();
    await settled();
    await databases.close();
  });

  const settled = async () => {
    await Promise.all([one, two].map(({ billing }) => billing.settled()));
  };
  const moment = () => ({ at: desk.clock.now(), clock: desk.clock.now() });
  const emit = async (at: BilledNode, event: ExchangeEvent) => {
    at.listeners.emit(event);
    await settled();
  };
  const say = (at: BilledNode, event: Exclude<CallEvent['kind'], 'ended'>) =>
    emit(at, { ...OF_CALL, ...moment(), kind: event });
  const ended = (at: BilledNode, endResult: EndedEvent['record']['endResult'], lost: EndedEvent['lost'] = null) => {
    at.live.delete('c1');
    const record = { endResult, duration: 100_000 } as EndedEvent['record'];
    return emit(at, { ...OF_CALL, ...moment(), kind: 'ended', record, lost, endedBySide: null });
  };
  /** Media begins at a node. */
  const begin = (at: BilledNode) => {
    at.live.add('c1');
    return say(at, 'begun');
  };
  const adopted = (isBack = true): ExchangeEvent => ({
    ...OF_CALL,
    kind: 'adopted',
    at: began,
    clock: began,
    isHeld: false,
    isBack,
  });
  const adopt = (at: BilledNode, isBack = true) => {
    at.live.add('c1');
    return emit(at, adopted(isBack));
  };
  /** Ends the process of a node. */
  const kill = ({ billing }: { readonly billing: Billing }) => billing.dispose();
  /** Closes the page, as the second node does when the database did not answer the first one for minutes. */
  const closedInSilence = () =>
    database.db
      .updateTable('ringback_charge_sessions')
      .set({ is_open: 0, end_result: 'unknown', owner: 'n2', duration: 0 })
      .execute();
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      await desk.clock.advance(1_000);
      await settled();
    }
  };
  const spent = async () => 200 - (await desk.coins())[0] - (await desk.coins())[1];
  const page = async () => (await desk.pages()).get('c1');
  const charges = async () =>
    (await desk.transfers()).map(([key]) => key).filter((key) => /^call:c1:\d+$/.test(String(key)));

  it('S25 is charged each minute once when its node dies and another one adopts it', async () => {
    await desk.dial('c1');
    await begin(one);
    await pass(75);
    expect(await spent()).toBe(40);
    kill(one);
    await pass(10);
    await adopt(two);
    await pass(44);
    expect(await spent()).toBe(40);
    await pass(1);
    expect([await spent(), await page()]).toMatchObject([60, { count: 3, owner: 'n2', is_open: 1 }]);
    await ended(two, 'completed');
    expect(await page()).toMatchObject({ count: 3, coins: 60, is_open: 0, end_result: 'completed' });
    expect([await charges(), await audit(database)]).toEqual([['call:c1:1', 'call:c1:2', 'call:c1:3'], []]);
  });

  it('is charged a minute once by two nodes that both charge it, and the former node forgets it', async () => {
    await begin(one);
    await pass(100);
    await adopt(two);
    // Both timers of the third minute fire in one instant.
    await pass(30);
    expect([await spent(), await charges()]).toEqual([60, ['call:c1:1', 'call:c1:2', 'call:c1:3']]);
    await pass(60);
    expect([await spent(), await page()]).toMatchObject([80, { count: 4, owner: 'n2' }]);
    expect(desk.log.filter(({ message }) => message === 'another node bills a call of this one')).toHaveLength(1);
  });

  it('is charged a minute once when the adoption and the charge of the former node cross', async () => {
    await begin(one);
    await pass(69);
    two.live.add('c1');
    const crossing = desk.clock.advance(1_000);
    two.listeners.emit(adopted());
    await crossing;
    await settled();
    await pass(60);
    expect([await spent(), await charges()]).toEqual([60, ['call:c1:1', 'call:c1:2', 'call:c1:3']]);
    expect([await page(), await audit(database)]).toMatchObject([{ count: 3, coins: 60, owner: 'n2' }, []]);
  });

  it('is not ended in the books by a node that lost it, and its minute is not refunded', async () => {
    await begin(one);
    await pass(75);
    await adopt(two);
    await ended(one, 'connection_lost', 'both');
    expect([await spent(), await page()]).toMatchObject([40, { is_open: 1, count: 2, owner: 'n2' }]);
    await pass(55);
    expect(await spent()).toBe(60);
    await ended(two, 'completed');
    expect(await page()).toMatchObject({ is_open: 0, end_result: 'completed', coins: 60 });
  });

  it('is forgotten without a write when the exchange lets it go', async () => {
    await begin(one);
    await pass(75);
    one.live.delete('c1');
    await emit(one, { kind: 'let_go', callId: 'c1' });
    await pass(60);
    expect([await spent(), await page()]).toMatchObject([40, { is_open: 1, count: 2, end_result: null }]);
  });

  it('is forgotten when the exchange lets it go while its session is being opened', async () => {
    let found = (): void => undefined;
    desk.finding = new Promise((resolve) => (found = resolve));
    one.live.add('c1');
    one.listeners.emit({ ...OF_CALL, ...moment(), kind: 'begun' });
    one.listeners.emit({ kind: 'let_go', callId: 'c1' });
    found();
    await settled();
    await pass(30);
    expect(await spent()).toBe(0);
  });

  it('goes on at the node that adopts it after a hold', async () => {
    await begin(one);
    await pass(20);
    await say(one, 'held');
    await pass(100);
    kill(one);
    await adopt(two);
    await pass(60);
    expect(await spent()).toBe(20);
    await say(two, 'resumed');
    // The billed time stood at 50 s. The second minute begins at 70 s.
    await pass(19);
    expect(await spent()).toBe(20);
    await pass(1);
    expect(await spent()).toBe(40);
  });

  it('is not charged after an adoption before both sides are back', async () => {
    await begin(one);
    await pass(30);
    kill(one);
    await adopt(two, false);
    await pass(60);
    expect(await spent()).toBe(20);
    await say(two, 'returned');
    await pass(1);
    expect(await spent()).toBe(40);
  });

  it('is charged from its reservation when its node died before it opened the page', async () => {
    await desk.dial('c1');
    await database.db.updateTable('ringback_profiles').set({ price: 99 }).execute();
    await adopt(two);
    await pass(10);
    expect([await spent(), await page()]).toMatchObject([20, { rate: 20, owner: 'n2' }]);
  });

  it('is charged by the node where media begins, when another one had opened the page', async () => {
    await begin(one);
    kill(one);
    two.owned.add('c1');
    await begin(two);
    await pass(75);
    expect([await spent(), await page()]).toMatchObject([40, { count: 2, owner: 'n2' }]);
  });

  it('is not charged again when its end was booked before its node died', async () => {
    await begin(one);
    await pass(20);
    await ended(one, 'completed');
    await adopt(two);
    await pass(120);
    expect([await spent(), await page()]).toMatchObject([20, { is_open: 0, end_result: 'completed', count: 1 }]);
  });

  it('is not closed by another node while it is on hold at its own, and closed when that node is gone', async () => {
    await begin(one);
    await pass(20);
    await say(one, 'held');
    await pass(900);
    expect(await page()).toMatchObject({ is_open: 1, owner: 'n1' });
    kill(one);
    await pass(400);
    expect(await page()).toMatchObject({ is_open: 0, end_result: 'unknown', count: 1 });
    expect([await desk.coins(), await audit(database)]).toEqual([[180, 0], []]);
  });

  it('goes on when it was closed in a silence of its node', async () => {
    await begin(one);
    one.owned.add('c1');
    await pass(20);
    await closedInSilence();
    await pass(50);
    expect([await spent(), await page()]).toMatchObject([40, { is_open: 1, owner: 'n1', end_result: null }]);
  });

  it('is not billed by another node where its media begins, unless the call belongs to that node', async () => {
    await begin(one);
    await pass(20);
    await begin(two);
    await pass(50);
    expect([await spent(), await page()]).toMatchObject([40, { is_open: 1, owner: 'n1' }]);
  });

  it('is not billed by another node where its media begins, until that node knows whether the call is its own', async () => {
    await begin(one);
    kill(one);
    two.owned.add('c1');
    isCutOff = true;
    await begin(two);
    await pass(20);
    expect(await page()).toMatchObject({ owner: 'n1' });
    isCutOff = false;
    await pass(60);
    expect([await spent(), await page()]).toMatchObject([40, { owner: 'n2' }]);
  });

  it('goes on at its own node when another one, which was cut off, has taken its page', async () => {
    await begin(one);
    one.owned.add('c1');
    await pass(20);
    two.owned.add('c1');
    await begin(two);
    two.owned.delete('c1');
    two.live.delete('c1');
    await emit(two, { kind: 'let_go', callId: 'c1' });
    expect(await page()).toMatchObject({ is_open: 1, owner: 'n2' });
    await pass(50);
    expect([await spent(), await page()]).toMatchObject([40, { is_open: 1, owner: 'n1', count: 2 }]);
    await ended(one, 'completed');
    expect(await page()).toMatchObject({ is_open: 0, end_result: 'completed', coins: 40 });
  });

  it('is closed with its end when it was closed in a silence of its node before', async () => {
    await begin(one);
    one.owned.add('c1');
    await pass(20);
    await closedInSilence();
    await ended(one, 'connection_lost', 'both');
    expect(await page()).toMatchObject({ is_open: 0, owner: 'n1', end_result: 'connection_lost' });
  });

  it('keeps its reservation when it ends at a node that does not bill it', async () => {
    await desk.dial('c1');
    await begin(one);
    await begin(two);
    await ended(two, 'connection_lost', 'both');
    expect(await two.billing.isPaying('kai')).toBe(true);
    await ended(one, 'completed');
    expect(await two.billing.isPaying('kai')).toBe(false);
  });

  it('keeps its reservation while it rings at another node, and loses it when that node is gone', async () => {
    await desk.dial('c1');
    one.live.add('c1');
    await pass(240);
    expect(await two.billing.isPaying('kai')).toBe(true);
    kill(one);
    await pass(61);
    expect([await two.billing.isPaying('kai'), await desk.coins()]).toEqual([false, [200, 0]]);
  });
});

it('a credit at one node reaches the billing of every node', async () => {
  const databases = databasesOf('SQLite in memory');
  const database = await databases.make();
  const clock = new HandClock(Date.UTC(2026, 0, 1));
  const nodes = new JoinedNodes(clock);
  const credited: string[] = [];
  const wallets = ['n1', 'n2'].map(
    (node) => new Wallets(new Ledger(database), new MemoryEventHub(clock, nodeIds), nodes.join(node)),
  );
  const stops = wallets.map((one, at) => one.onCredit((man) => credited.push(`${man} at ${at + 1}`)));
  await wallets[1]?.credited('kai');
  await quiet();
  expect(credited.toSorted()).toEqual(['kai at 1', 'kai at 2']);
  for (const stop of stops) stop();
  await wallets[1]?.credited('kai');
  await quiet();
  expect(credited).toHaveLength(2);
  await databases.close();
});
