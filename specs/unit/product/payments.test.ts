/** Payments whose answer is late, lost, or comes after the server stopped. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  OrderStatus,
  PaymentOrder,
  PaymentOutcome,
  PaymentProvider,
} from '../../../sim/product/wallet/payment-provider.ts';
import { HandClock } from '../support/hand-clock.ts';
import { MemoryStateServer } from '../../../sim/cluster/memory-state.ts';
import { MemoryOrders, type SandboxOrders, SharedOrders } from '../../../sim/product/wallet/sandbox-orders.ts';
import { createSandboxPayments } from '../../../sim/product/wallet/sandbox-payments.ts';
import type { Database } from '../../../sim/store/database.ts';
import { audit } from './support/audit.ts';
import { databasesOf, EVERY } from './support/databases.ts';
import { openStage, type Stage } from './support/stage.ts';

/** A bank that the test controls. It outlives the servers that use it. */
class Bank implements PaymentProvider {
  readonly orders = new Map<string, OrderStatus>();
  readonly begun: PaymentOrder[] = [];
  readonly play = null;
  /** Its result for an order, and whether its answer arrives. */
  takes: OrderStatus = { status: 'paid' };
  answers: 'at once' | 'never' | 'with a fault' = 'at once';
  asked = 0;
  #listeners = new Set<(orderNo: string) => void>();

  begin(order: PaymentOrder): Promise<PaymentOutcome> {
    this.begun.push(order);
    const known = this.orders.get(order.orderNo) ?? this.takes;
    this.orders.set(order.orderNo, known);
    if (this.answers === 'with a fault') return Promise.reject(new Error('ECONNRESET'));
    if (this.answers === 'never' || known.status === 'processing' || known.status === 'unknown') {
      return new Promise<never>(() => undefined);
    }
    return Promise.resolve(known);
  }

  async status(orderNo: string): Promise<OrderStatus> {
    this.asked += 1;
    if (this.answers === 'with a fault') throw new Error('ECONNRESET');
    return this.orders.get(orderNo) ?? { status: 'unknown' };
  }

  onUpdate(listener: (orderNo: string) => void) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Changes the state of an order. */
  decide(orderNo: string, status: OrderStatus, isTold = false): void {
    this.orders.set(orderNo, status);
    if (isTold) for (const listener of this.#listeners) listener(orderNo);
  }

  get listeners(): number {
    return this.#listeners.size;
  }
}

describe.each(EVERY)('a payment, kept in %s', (kind) => {
  const databases = databasesOf(kind);
  let database: Database;
  let bank: Bank;
  let stage: Stage;
  beforeEach(async (context) => {
    databases.skipIfMissing(context);
    database = await databases.make();
    bank = new Bank();
    stage = await openStage(database, { payments: bank });
  });
  afterEach(() => databases.close());

  const body = { pack_id: 'coins-100', method: 'card', card_number: '4242424242424242' };
  const buy = (key: string) => stage.ask('kai', 'POST', '/deposits', { body, key });
  /** Buys while the provider does not answer. Returns the answer of the server after 15 s. */
  async function buyUnanswered(key: string) {
    const before = stage.clock.pending;
    const begun = bank.begun.length;
    const answer = buy(key);
    await vi.waitUntil(() => bank.begun.length > begun && stage.clock.pending > before, {
      interval: 1,
      timeout: 10_000,
    });
    stage.clock.advance(15_000);
    return (await answer).body;
  }
  const orderNo = () => bank.begun.at(-1)?.orderNo ?? '';
  const one = async (id: string) => (await stage.ask('kai', 'GET', `/deposits/${id}`)).body;
  /** Advances the time, and runs what is due. */
  const pass = async (seconds: number) => {
    stage.clock.advance(seconds * 1_000);
    await stage.product.settled();
  };
  /** Stops the server, and starts another one on the same database. */
  const crash = async () => {
    stage.close();
    stage.clock.stop();
    stage = await openStage(database, { payments: bank }, stage.clock);
    await stage.product.settled();
  };

  it('S25 F23 that is paid after its 15 seconds gets its coins once, at the next check', async () => {
    bank.answers = 'never';
    const { deposit_id, status } = await buyUnanswered('a-late-payment');
    expect([status, await stage.coins('kai')]).toEqual(['processing', 0]);
    await pass(29);
    await pass(30);
    expect(await one(deposit_id)).toMatchObject({ status: 'paid', failure: null });
    expect(await stage.coins('kai')).toBe(120);
    bank.decide(orderNo(), { status: 'paid' }, true);
    await pass(30);
    bank.answers = 'at once';
    expect(await buy('a-late-payment')).toMatchObject({ body: { deposit_id, status: 'paid' } });
    expect([await stage.coins('kai'), await audit(database)]).toEqual([120, []]);
  });

  it('that is declined late fails with the reason', async () => {
    bank.answers = 'never';
    bank.takes = { status: 'failed', failure: 'declined' };
    const { deposit_id } = await buyUnanswered('declined-late');
    await pass(60);
    expect(await one(deposit_id)).toMatchObject({ status: 'failed', failure: 'declined' });
    expect(await stage.coins('kai')).toBe(0);
  });

  it('that the provider does not decide fails after a day, and is credited when it is paid later', async () => {
    bank.takes = { status: 'processing' };
    const { deposit_id } = await buyUnanswered('undecided');
    await pass(24 * 3_600 - 16);
    expect(await one(deposit_id)).toMatchObject({ status: 'processing' });
    await pass(60);
    expect(await stage.coins('kai')).toBe(0);
    const rows = () => database.db.selectFrom('ringback_deposits').select(['status', 'failure']).execute();
    expect(await rows()).toEqual([{ status: 'failed', failure: 'timed_out' }]);
    // The provider reports a change of the order, and is asked for its state.
    bank.decide(orderNo(), { status: 'paid' }, true);
    bank.decide('RB-of-another-shop', { status: 'paid' }, true);
    await stage.product.settled();
    expect([await rows(), await stage.coins('kai')]).toEqual([[{ status: 'paid', failure: null }], 120]);
  });

  it('stays pending when the provider fails to begin or report it, and is checked again', async () => {
    bank.answers = 'with a fault';
    const { deposit_id, status } = (await buy('provider-fails')).body;
    expect(status).toBe('processing');
    await pass(60);
    expect(await one(deposit_id)).toMatchObject({ status: 'processing' });
    bank.answers = 'at once';
    await pass(30);
    expect(await one(deposit_id)).toMatchObject({ status: 'paid' });
  });

  it('F23 of a repeated request begins again under the same order number, and is charged once', async () => {
    bank.answers = 'with a fault';
    await buy('comes-again');
    bank.answers = 'at once';
    const again = await Promise.all([buy('comes-again'), buy('comes-again')]);
    for (const answer of again) expect(answer.body).toMatchObject({ status: 'paid' });
    expect(new Set(bank.begun.map((order) => order.orderNo)).size).toBe(1);
    expect([await stage.coins('kai'), bank.orders.size]).toEqual([120, 1]);
  });

  it.each([
    ['before the provider was reached', false, { status: 'failed', failure: 'timed_out' }, 0],
    ['after the provider took the money', true, { status: 'paid', failure: null }, 120],
  ])('S27 F55 of a server that stopped %s is settled by the next one', async (_, isTaken, expected, coins) => {
    bank.answers = 'never';
    void buy('a-server-dies');
    await vi.waitUntil(() => bank.begun.length === 1, { interval: 1, timeout: 10_000 });
    if (!isTaken) bank.orders.clear();
    await crash();
    // In a database that servers share, the server that has it keeps it for half a minute.
    await pass(30);
    expect((await stage.ask('kai', 'GET', '/deposits')).body.items).toMatchObject([expected]);
    expect([await stage.coins('kai'), await audit(database)]).toEqual([coins, []]);
  });

  it('in a store is checked when the provider reports it, and once more when it expires', async () => {
    bank.takes = { status: 'pending', payCode: '00000000000001' };
    const inStore = { ...body, method: 'convenience_store', card_number: undefined };
    const store = async (key: string) => (await stage.ask('kai', 'POST', '/deposits', { body: inStore, key })).body;
    const paid = await store('paid-in-a-store');
    expect(paid).toMatchObject({ status: 'pending', pay_code: '00000000000001' });
    bank.decide(orderNo(), { status: 'paid' }, true);
    await stage.product.settled();
    expect(await one(paid.deposit_id)).toMatchObject({ status: 'paid' });
    const missed = await store('nobody-told');
    bank.decide(orderNo(), { status: 'paid' });
    const left = await store('never-paid');
    await pass(72 * 3_600);
    await stage.signIn('kai');
    expect(await one(missed.deposit_id)).toMatchObject({ status: 'paid' });
    expect(await one(left.deposit_id)).toMatchObject({ status: 'expired' });
  });

  it('S25 F23 that a store reports late, also while no server runs, gets its coins once, at a start or within an hour', async () => {
    const store = { pack_id: 'coins-100', method: 'convenience_store' };
    bank.takes = { status: 'pending', payCode: '12345678' };
    const order = async (key: string) => {
      await stage.ask('kai', 'POST', '/deposits', { body: store, key });
      return orderNo();
    };
    const [first, second] = [await order('a-first-order'), await order('a-second-order')];
    bank.decide(first, { status: 'paid' });
    await crash();
    expect(await stage.coins('kai')).toBe(120);
    await pass(72 * 3_600);
    await pass(30);
    const statuses = await database.db.selectFrom('ringback_deposits').select('status').execute();
    expect(statuses.map(({ status }) => status).toSorted()).toEqual(['expired', 'paid']);
    bank.decide(second, { status: 'paid' });
    await pass(3_600);
    await pass(30);
    expect(await stage.coins('kai')).toBe(220);
    await crash();
    expect([await stage.coins('kai'), await audit(database)]).toEqual([220, []]);
  });

  it('cannot be paid by a request when the provider simulates no store', async () => {
    expect((await stage.ask('kai', 'GET', '/deposit/packs')).body).toMatchObject({ is_sandbox: false });
    const refused = await stage.ask('kai', 'POST', '/sandbox/deposits/some/pay', { body: { outcome: 'paid' } });
    expect(refused).toMatchObject({ status: 404 });
    expect(bank.listeners).toBe(1);
    stage.close();
    await stage.product.dispose();
    expect([bank.listeners, stage.clock.pending]).toEqual([0, 0]);
  });
});

/** The orders of the sandbox, of one process and of a cluster. */
const ORDERS: Readonly<Record<string, () => SandboxOrders>> = {
  'in memory': () => new MemoryOrders(),
  'of a cluster': () => new SharedOrders(new MemoryStateServer({ clock: new HandClock() }).connect('n1')),
};

describe.each(Object.entries(ORDERS))('the sandbox with orders %s', (_, makeOrders) => {
  const order = { orderNo: 'RB1', amount: 100, method: 'card', cardNumber: '4242424242424242' } as const;

  it('begins an order once, and returns its state', async () => {
    const sandbox = createSandboxPayments(makeOrders());
    expect(await sandbox.status('RB1')).toEqual({ status: 'unknown' });
    expect(await sandbox.begin(order)).toEqual({ status: 'paid' });
    expect(await sandbox.begin({ ...order, cardNumber: '4000000000000002' })).toEqual({ status: 'paid' });
    void sandbox.begin({ ...order, orderNo: 'RB2', cardNumber: '4000000000000119' });
    const code = await sandbox.begin({ ...order, orderNo: 'RB3', method: 'convenience_store' });
    expect([code.status, await sandbox.status('RB3')]).toEqual(['pending', code]);
    expect([await sandbox.status('RB1'), await sandbox.status('RB2')]).toEqual([
      { status: 'paid' },
      { status: 'processing' },
    ]);
  });

  it('accepts one decision of a store, also about an order from before its restart', async () => {
    const orders = makeOrders();
    const sandbox = createSandboxPayments(orders);
    await sandbox.play?.('RB0', 'canceled');
    await sandbox.play?.('RB0', 'paid');
    await orders.replace('RB0', undefined, { status: 'paid' });
    expect(await sandbox.status('RB0')).toEqual({ status: 'failed', failure: 'canceled' });
  });
});

it('the sandbox stores the newest 10,000 orders in memory', async () => {
  const order = { amount: 100, method: 'card', cardNumber: '4242424242424242' } as const;
  const sandbox = createSandboxPayments();
  for (let at = 0; at <= 10_000; at += 1) void sandbox.begin({ ...order, orderNo: `RB${at}` });
  expect([await sandbox.status('RB0'), await sandbox.status('RB1')]).toEqual([
    { status: 'unknown' },
    { status: 'paid' },
  ]);
});
