/** Billing without the rest of the product: its steps for one call. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../sim/store/database.ts';
import { audit } from './support/audit.ts';
import { scaled } from '../../../tools/run/machine-factor.ts';
import { BillingDesk } from './support/billing-desk.ts';
import { databasesOf, EVERY } from './support/databases.ts';

describe.each(EVERY)('a billed call, in %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let desk: BillingDesk;
  let start: number;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    // As the only server of its database: billing then starts only the timers of calls.
    database = { ...(await databases.make()), isShared: false };
    desk = await BillingDesk.open(database);
    await desk.offer('mei');
    await desk.billing.start();
    start = desk.clock.now();
  });
  afterEach(async () => {
    desk?.billing.dispose();
    await databases.close();
  });

  it('reserves the coins of its first minute, and charges them after ten seconds', async () => {
    await desk.give('kai', 50);
    await desk.connect('c1');
    expect(await desk.coins()).toEqual([30, 20]);
    expect((await desk.pages()).get('c1')).toEqual({
      session_id: 'c1',
      man: 'kai',
      woman: 'mei',
      kind: 'video',
      rate: 20,
      count: 0,
      coins: 0,
      points: 0,
      started_at: start,
      duration: null,
      end_result: null,
      is_open: 1,
      touched_at: start,
      meter_before: null,
      meter_held_at: null,
      meter_since: null,
      unpaid_since: null,
      was_given_back: null,
      owner: null,
    });
    await desk.pass(9.999);
    expect(await desk.coins()).toEqual([30, 20]);
    await desk.pass(0.001);
    expect(await desk.coins()).toEqual([30, 0]);
    expect((await desk.pages()).get('c1')).toMatchObject({
      count: 1,
      coins: 20,
      points: 800,
      touched_at: start + 10_000,
    });
    expect(await desk.transfers()).toEqual([
      ['call:c1:1', 'video', start + 10_000, { call: 'c1', minute: 1, man: 'kai', woman: 'mei' }],
    ]);
    await desk.end('c1', 'completed', 10_000);
    expect((await desk.pages()).get('c1')).toMatchObject({
      is_open: 0,
      end_result: 'completed',
      duration: 10_000,
      count: 1,
      coins: 20,
      touched_at: start + 10_000,
    });
    expect([desk.clock.pending, desk.ended, await audit(database)]).toEqual([[], [], []]);
  });

  it('sends the man his coins and the woman her earnings, at the start, with each minute and at the end', async () => {
    await desk.give('kai', 50);
    await desk.connect('c1');
    await desk.pass(70);
    await desk.end('c1');
    const head = { type: 'call_billing', call_id: 'c1', rate: 20 };
    const his = { ...head, points_earned: null };
    const hers = { ...head, coins_left: null, ends_at: null };
    expect(desk.told('kai')).toEqual([
      { ...his, billed_minutes: 0, coins_left: 30, ends_at: null },
      { ...his, billed_minutes: 1, coins_left: 30, ends_at: null },
      { ...his, billed_minutes: 2, coins_left: 10, ends_at: start + 160_000 },
      { ...his, billed_minutes: 2, coins_left: 10, ends_at: null },
    ]);
    expect(desk.told('mei')).toEqual([
      { ...hers, billed_minutes: 0, points_earned: 0 },
      { ...hers, billed_minutes: 1, points_earned: 800 },
      { ...hers, billed_minutes: 2, points_earned: 1_600 },
      { ...hers, billed_minutes: 2, points_earned: 1_600 },
    ]);
    expect(desk.wallet('kai').at(-1)).toEqual({ type: 'wallet_changed', coins: 10, points: null });
    expect(desk.wallet('mei').at(-1)).toEqual({ type: 'wallet_changed', coins: null, points: 1_600 });
  });

  it('by voice costs the voice price of the woman, also when she dialled', async () => {
    await desk.give('kai', 50);
    const how = { caller: 'mei', callee: 'kai', isVideoCall: false };
    await desk.connect('c1', how);
    expect(await desk.coins()).toEqual([40, 10]);
    expect((await desk.pages()).get('c1')).toMatchObject({ man: 'kai', woman: 'mei', kind: 'voice', rate: 10 });
  });

  it.each([
    ['between two men', { caller: 'kai', callee: 'leo' }],
    ['between two women', { caller: 'mei', callee: 'yun' }],
    ['from a caller without an account', { caller: 'nobody', callee: 'mei' }],
    ['to a callee without an account', { caller: 'mei', callee: 'nobody' }],
    ['to a woman who has no price', { caller: 'kai', callee: 'yun' }],
  ])('%s costs nothing, and is not recorded', async (_, who) => {
    await desk.give('kai', 50);
    await desk.connect('c1', who);
    await desk.pass(100);
    desk.say('c1', { kind: 'held' }, who);
    await desk.end('c1', 'completed', 0, who);
    expect([await desk.coins(), [...(await desk.pages())], desk.clock.pending]).toEqual([[50, 0], [], []]);
    expect([desk.told('mei'), desk.log]).toEqual([[], []]);
  });

  it('reserves nothing with too few coins, and succeeds with exactly enough', async () => {
    await desk.give('kai', 19);
    await desk.connect('c1');
    expect(await desk.coins()).toEqual([19, 0]);
    await desk.give('kai', 1);
    await desk.connect('c2');
    expect(await desk.coins()).toEqual([0, 20]);
    await desk.end('c2');
    expect(await desk.coins()).toEqual([20, 0]);
    // This call has no reservation, so its first minute is paid from the present balance.
    await desk.pass(10);
    expect([await desk.coins(), (await desk.pages()).get('c1')?.count]).toEqual([[0, 0], 1]);
    await desk.end('c1');
    expect(await audit(database)).toEqual([]);
  });

  it('that cannot be paid is ended 30 seconds after the minute began, and not before', async () => {
    await desk.connect('c1');
    await desk.pass(10);
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 0, ends_at: start + 40_000 });
    await desk.pass(29.999);
    expect(desk.ended).toEqual([]);
    await desk.pass(0.001);
    expect(desk.ended).toEqual(['c1']);
    await desk.end('c1', 'completed', 40_000);
    expect(desk.told('kai').at(-1)).toMatchObject({ ends_at: null });
    expect([desk.clock.pending, (await desk.pages()).get('c1')?.is_open]).toEqual([[], 0]);
  });

  it('that the exchange does not end at the first request is ended by a later request', async () => {
    await desk.connect('c1');
    await desk.pass(45);
    expect(desk.ended).toEqual(['c1', 'c1']);
    // Coins arrive: the next attempt pays the minute, and the call no longer ends soon.
    await desk.give('kai', 20);
    await desk.pass(5);
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 1, ends_at: start + 100_000 });
    await desk.pass(30);
    expect(desk.ended).toEqual(['c1', 'c1']);
  });

  it('continues with coins that arrive during its 30 seconds, and only coins of its payer count', async () => {
    await desk.connect('c1');
    await desk.pass(20);
    await desk.give('kai', 50);
    await desk.wallets.credited('leo');
    await desk.billing.settled();
    expect([await desk.coins(), desk.told('kai').at(-1)?.ends_at]).toEqual([[50, 0], start + 40_000]);
    await desk.wallets.credited('kai');
    await desk.billing.settled();
    expect([await desk.coins(), desk.told('kai').at(-1)?.ends_at]).toEqual([[30, 0], null]);
    expect(desk.told('mei').at(-1)).toMatchObject({ billed_minutes: 1, points_earned: 800 });
    // Coins that arrive without a shortage pay no minute in advance.
    await desk.wallets.credited('kai');
    await desk.billing.settled();
    expect(await desk.coins()).toEqual([30, 0]);
    await desk.pass(49.999);
    expect(await desk.coins()).toEqual([30, 0]);
    await desk.pass(0.001);
    expect([await desk.coins(), desk.ended]).toEqual([[10, 0], []]);
  });

  it('charges one minute when two credits are announced at once, and reserves nothing once it has ended', async () => {
    await desk.connect('c1');
    await desk.pass(20);
    await desk.give('kai', 50);
    await Promise.all([desk.wallets.credited('kai'), desk.wallets.credited('kai')]);
    await desk.billing.settled();
    expect(await desk.coins()).toEqual([30, 0]);
    await desk.connect('c2');
    await desk.pass(100);
    const before = await desk.coins();
    await desk.give('kai', 50);
    const credited = desk.wallets.credited('kai');
    await Promise.all([desk.end('c1'), desk.end('c2'), credited]);
    await desk.billing.settled();
    const [coins, held] = await desk.coins();
    expect([before[0] + 50 >= coins, held]).toEqual([true, 0]);
    expect(await audit(database)).toEqual([]);
  });

  it('charges nothing after its end, although coins arrive and a minute was due', async () => {
    await desk.connect('c1');
    await desk.pass(20);
    await desk.give('kai', 50);
    const over = desk.end('c1');
    await Promise.all([over, desk.wallets.credited('kai')]);
    await desk.billing.settled();
    await desk.pass(300);
    expect([await desk.coins(), (await desk.pages()).get('c1')]).toMatchObject([[50, 0], { count: 0, is_open: 0 }]);
  });

  it('pauses on hold after 30 seconds, and continues from there', async () => {
    await desk.give('kai', 200);
    await desk.connect('c1');
    desk.say('c1', { kind: 'held' });
    await desk.pass(600);
    expect([await desk.coins(), desk.clock.pending]).toEqual([[180, 0], []]);
    desk.say('c1', { kind: 'resumed' });
    await desk.pass(39.999);
    expect(await desk.coins()).toEqual([180, 0]);
    await desk.pass(0.001);
    expect(await desk.coins()).toEqual([160, 0]);
  });

  it('that is on hold during its last 30 seconds is ended as well', async () => {
    await desk.connect('c1');
    await desk.pass(10);
    desk.say('c1', { kind: 'held' });
    await desk.pass(30);
    expect(desk.ended).toEqual(['c1']);
  });

  it('announces the time of its end only when that is certain', async () => {
    await desk.give('kai', 20);
    await desk.connect('c1');
    // The first minute is reserved: the balance does not show the end yet.
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 0, coins_left: 0, ends_at: null });
    await desk.pass(10);
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 1, ends_at: start + 100_000 });
    await desk.give('leo', 40);
    await desk.connect('c2', { caller: 'leo' });
    const second = desk.clock.now();
    await desk.pass(10);
    // Exactly the price of the next minute is enough.
    expect(desk.told('leo').at(-1)).toMatchObject({ billed_minutes: 1, coins_left: 20, ends_at: null });
    await desk.end('c1');
    desk.say('c2', { kind: 'held' }, { caller: 'leo' });
    await desk.pass(60);
    expect(desk.told('leo').at(-1)).toMatchObject({ billed_minutes: 1 });
    desk.say('c2', { kind: 'resumed' }, { caller: 'leo' });
    await desk.pass(30);
    // On hold it was paused for half a minute.
    expect(desk.told('leo').at(-1)).toMatchObject({ billed_minutes: 2, coins_left: 0, ends_at: second + 190_000 });
  });

  it('refunds its last minute when the connection is lost, including the earnings of the woman', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    await desk.pass(75);
    await desk.end('c1', 'connection_lost', 75_000, { lost: 'both' });
    expect([await desk.coins(), await desk.ledger.balance('settling:mei')]).toEqual([[80, 0], 800]);
    expect((await desk.pages()).get('c1')).toMatchObject({
      count: 1,
      coins: 20,
      points: 800,
      is_open: 0,
      end_result: 'connection_lost',
      duration: 75_000,
      touched_at: start + 75_000,
    });
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 1, coins_left: 80 });
    expect(desk.told('mei').at(-1)).toMatchObject({ billed_minutes: 1, points_earned: 800 });
    expect((await desk.transfers()).find(([key]) => key === 'call:c1:2:refund')).toEqual([
      'call:c1:2:refund',
      'refund',
      start + 75_000,
      { call: 'c1', minute: 2, man: 'kai', woman: 'mei' },
    ]);
    expect(await audit(database)).toEqual([]);
  });

  it('has nothing to refund when the connection is lost before its first minute', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    await desk.pass(5);
    await desk.end('c1', 'connection_lost', 5_000, { lost: 'both' });
    expect([await desk.coins(), (await desk.pages()).get('c1')]).toMatchObject([
      [100, 0],
      { count: 0, coins: 0, is_open: 0 },
    ]);
    expect(desk.told('kai').at(-1)).toMatchObject({ billed_minutes: 0, coins_left: 100 });
  });

  it('ends once, for any later event', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    await desk.pass(15);
    await Promise.all([desk.end('c1', 'completed', 15_000), desk.end('c1', 'connection_lost', 16_000)]);
    await desk.pass(60);
    expect((await desk.pages()).get('c1')).toMatchObject({ end_result: 'completed', duration: 15_000, count: 1 });
    expect(desk.told('kai')).toHaveLength(3);
  });

  it('that the exchange lost is closed as unknown at the start of its next minute, without a charge', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    await desk.connect('c2', { caller: 'leo' });
    await desk.pass(15);
    desk.live.delete('c1');
    await desk.pass(54.999);
    expect((await desk.pages()).get('c1')).toMatchObject({ is_open: 1, count: 1 });
    await desk.pass(0.001);
    expect((await desk.pages()).get('c1')).toMatchObject({
      is_open: 0,
      count: 1,
      end_result: 'unknown',
      duration: null,
    });
    expect([await desk.coins(), desk.ended]).toEqual([
      [80, 0],
      ['c2', 'c2', 'c2', 'c2', 'c2', 'c2', 'c2'],
    ]);
  });

  it('processes the events that arrive while its billing session is opened in order', async () => {
    await desk.give('kai', 100);
    let found = () => {};
    desk.finding = new Promise((resolve) => void (found = resolve));
    desk.live.add('c1');
    desk.say('c1', { kind: 'begun' });
    desk.say('c2', { kind: 'held' });
    desk.say('c1', { kind: 'held' });
    await desk.clock.advance(5_000);
    const listening = desk.listeners;
    found();
    await desk.billing.settled();
    expect([listening, desk.listeners]).toEqual([1, 1]);
    // On hold since it connected, it is paused after 30 s: it is charged once.
    await desk.pass(300);
    expect(await desk.coins()).toEqual([80, 0]);

    desk.finding = new Promise((resolve) => void (found = resolve));
    desk.live.add('c3');
    desk.say('c3', { kind: 'begun' });
    const over = desk.end('c3', 'completed', 1);
    found();
    await over;
    await desk.billing.settled();
    expect((await desk.pages()).get('c3')).toMatchObject({ is_open: 0, end_result: 'completed', duration: 1 });
  });

  it('does not use a reservation of two other users, which is released, and has the present price', async () => {
    await desk.offer('yun', { price: 30 });
    await desk.give('kai', 100);
    expect(await desk.dial('c1')).toBe(true);
    await desk.connect('c1', { callee: 'yun' });
    expect((await desk.pages()).get('c1')).toMatchObject({ man: 'kai', woman: 'yun', rate: 30 });
    expect(await desk.reservations.of('c1')).toMatchObject({ man: 'kai', woman: 'yun', rate: 30 });
    expect(await desk.coins()).toEqual([70, 30]);
    await desk.pass(10);
    expect(await desk.coins()).toEqual([70, 0]);
    expect(await audit(database)).toEqual([]);
  });

  it('without a reservation holds the coins of its first minute, except of a man who pays another call', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    expect([await desk.coins(), (await desk.reservations.of('c1'))?.woman]).toEqual([[80, 20], 'mei']);
    await desk.connect('c2');
    expect([await desk.coins(), await desk.reservations.of('c2')]).toEqual([[80, 20], undefined]);
    await desk.end('c2', 'completed', 1_000);
    expect([await desk.coins(), await audit(database)]).toEqual([[80, 20], []]);
    await desk.end('c1', 'completed', 1_000);
    expect([await desk.coins(), await audit(database)]).toEqual([[100, 0], []]);
  });

  it('whose billing session cannot be opened is logged and tried again after five seconds; other calls are billed', async () => {
    await desk.give('kai', 100);
    desk.finding = Promise.reject(new Error('ECONNREFUSED'));
    // Nothing waits for it before the call begins.
    desk.finding.catch(() => undefined);
    await desk.connect('c1');
    desk.finding = Promise.resolve();
    expect(desk.log.map(({ level }) => level)).toEqual(['error']);
    expect(desk.listeners).toBe(1);
    await desk.connect('c2');
    await desk.pass(10);
    expect([...(await desk.pages()).keys()].toSorted()).toEqual(['c1', 'c2']);
    expect(await desk.coins()).toEqual([60, 0]);
  });

  describe('a billed call on a database that fails', () => {
    /** Makes so many of the next transactions fail. */
    function failing(count: number): void {
      const { transact } = database;
      let left = count;
      const broken: typeof transact = async (work) => {
        left -= 1;
        if (left >= 0) throw new Error('the connection is lost');
        return transact(work);
      };
      Object.assign(database, { transact: broken });
    }

    it('has its minute charged five seconds later, and again after five more', async () => {
      await desk.give('kai', 100);
      await desk.connect('c1');
      failing(2);
      await desk.pass(14.999);
      expect((await desk.pages()).get('c1')?.count).toBe(0);
      expect(desk.log.map(({ level }) => level)).toEqual(['error']);
      await desk.pass(5);
      expect((await desk.pages()).get('c1')?.count).toBe(0);
      await desk.pass(0.001);
      expect((await desk.pages()).get('c1')?.count).toBe(1);
      // The next minute begins at its usual time.
      await desk.pass(49.999);
      expect((await desk.pages()).get('c1')?.count).toBe(1);
      await desk.pass(0.001);
      expect((await desk.pages()).get('c1')?.count).toBe(2);
    });

    it('is billed from the start of its media, also when its billing session was opened later', async () => {
      await desk.give('kai', 100);
      expect(await desk.dial('c1')).toBe(true);
      failing(1);
      await desk.connect('c1');
      expect((await desk.pages()).size).toBe(0);
      await desk.pass(9.999);
      expect((await desk.pages()).get('c1')?.count).toBe(0);
      await desk.pass(0.001);
      expect((await desk.pages()).get('c1')?.count).toBe(1);
    });

    it('has its reservation released when it ends before its billing session could be opened', async () => {
      await desk.give('kai', 100);
      expect(await desk.dial('c1')).toBe(true);
      failing(2);
      await desk.connect('c1');
      await desk.end('c1', 'completed', 1_000);
      await desk.pass(10);
      expect([await desk.coins(), await desk.reservations.of('c1')]).toEqual([[100, 0], undefined]);
      expect([desk.clock.pending, (await desk.pages()).size]).toEqual([[], 0]);
    });

    it('has its end recorded five seconds later', async () => {
      await desk.give('kai', 100);
      await desk.connect('c1');
      await desk.pass(15);
      failing(1);
      await desk.end('c1', 'connection_lost', 15_000, { lost: 'both' });
      expect((await desk.pages()).get('c1')?.is_open).toBe(1);
      await desk.pass(4.999);
      expect((await desk.pages()).get('c1')?.is_open).toBe(1);
      await desk.pass(0.001);
      expect((await desk.pages()).get('c1')).toMatchObject({ is_open: 0, count: 0, end_result: 'connection_lost' });
      expect([await desk.coins(), desk.clock.pending]).toEqual([[100, 0], []]);
    });
  });

  it('is no longer changed by a billing that was disposed', async () => {
    await desk.give('kai', 100);
    await desk.connect('c1');
    desk.billing.dispose();
    expect([desk.clock.pending, desk.listeners]).toEqual([[], 0]);
    await desk.wallets.credited('kai');
    await desk.pass(100);
    expect((await desk.pages()).get('c1')).toMatchObject({ is_open: 1, count: 0 });
  });

  it.each([
    ['opened', () => desk.connect('c1')],
    ['closed', () => desk.end('c1')],
    ['released', () => Promise.resolve(desk.say('c1', { kind: 'not_dialled' }))],
  ])('that is being %s when billing is disposed leaves no timer, although the database fails', async (what, act) => {
    await desk.give('kai', 100);
    await desk.dial('c1');
    if (what === 'closed') await desk.connect('c1');
    const transact = () => Promise.reject(new Error('the connection is lost'));
    Object.assign(database, { transact });
    const done = act();
    desk.billing.dispose();
    await done;
    await desk.billing.settled();
    expect(desk.clock.pending).toEqual([]);
  });

  it('that is opened when billing is disposed leaves no timer', async () => {
    await desk.give('kai', 100);
    const done = desk.connect('c1');
    desk.billing.dispose();
    await done;
    expect(desk.clock.pending).toEqual([]);
  });

  describe('a billed call that a stopped server left open', () => {
    const leave = async () => {
      await desk.give('kai', 100);
      await desk.connect('c1');
      await desk.pass(75);
      await desk.give('leo', 30);
      await desk.connect('c2', { caller: 'leo' });
      desk.billing.dispose();
    };

    /** The ids of the open billing sessions. */
    const openPages = async () =>
      [...(await desk.pages())].flatMap(([id, { is_open }]) => (is_open ? [id] : [])).toSorted();
    // No session waits for the sweep: a database with a connection answers it a moment later.
    const POLLED = { timeout: scaled(5_000), interval: 5 };

    it('is closed at once, at its last charged minute, when one server uses the database', async () => {
      await leave();
      await desk.open().start();
      const pages = await desk.pages();
      const now = desk.clock.now();
      const closed = { is_open: 0, end_result: 'unknown', touched_at: now };
      expect(pages.get('c1')).toMatchObject({ ...closed, count: 2, coins: 40, duration: 130_000 });
      expect(pages.get('c2')).toMatchObject({ ...closed, count: 0, coins: 0, duration: 0 });
      expect([await desk.coins(), await desk.coins('leo'), desk.clock.pending]).toEqual([[60, 0], [30, 0], []]);
      expect(await audit(database)).toEqual([]);
    });

    it('is closed after three minutes of silence when servers share the database, except calls of the server itself', async () => {
      await leave();
      const shared = { ...database, isShared: true };
      const other = desk.open(shared);
      await other.start();
      expect((await desk.pages()).get('c1')?.is_open).toBe(1);
      desk.billing = other;
      await desk.connect('c3', { caller: 'leo' });
      desk.say('c3', { kind: 'held' }, { caller: 'leo' });
      // The last minute of the first was charged five seconds ago.
      await desk.pass(174);
      expect(await openPages()).toEqual(['c1', 'c2', 'c3']);
      await desk.pass(6);
      await expect.poll(openPages, POLLED).toEqual(['c3']);
      await desk.pass(600);
      expect(await openPages()).toEqual(['c3']);
      other.dispose();
      expect(desk.clock.pending).toEqual([]);
    });

    it('is searched again three minutes after the database failed', async () => {
      await leave();
      const shared = { ...database, isShared: true };
      const other = desk.open(shared);
      await other.start();
      const { transact } = shared;
      Object.assign(shared, { transact: () => Promise.reject(new Error('the connection is lost')) });
      await desk.pass(181);
      await expect.poll(() => desk.log.map(({ level }) => level), POLLED).toEqual(['error']);
      Object.assign(shared, { transact });
      await desk.pass(180);
      await expect.poll(openPages, POLLED).toEqual([]);
      other.dispose();
    });
  });
});
