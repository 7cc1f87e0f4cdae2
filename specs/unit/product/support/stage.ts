/** The product server with its exchange, in one process and under a hand-driven clock. */
import type { ProductEvent } from '../../../../src/protocol/product/events.ts';
import { HEARTBEAT } from '../../../../src/protocol/product/heartbeat.ts';
import type { GenderType } from '../../../../src/protocol/product/values.ts';
import { Ledger } from '../../../../sim/product/ledger/ledger.ts';
import { Product } from '../../../../sim/product/product.ts';
import type { ProductPerson } from '../../../../sim/product/product-person.ts';
import type { PaymentProvider } from '../../../../sim/product/wallet/payment-provider.ts';
import type { Database } from '../../../../sim/store/database.ts';
import { createExchangeFixture, type Device, type ExchangeFixture } from '../../exchange/exchange-fixture.ts';
import { HandClock } from '../../support/hand-clock.ts';
import { cheapPasswords } from './cheap-passwords.ts';
import { clockedLimits } from './clocked-limits.ts';
import { productLog } from './product-log.ts';

export const aPerson = (u_id: string, gender_type: GenderType, more: Partial<ProductPerson> = {}): ProductPerson => ({
  u_id,
  nickname: u_id.toUpperCase(),
  gender_type,
  age: 30,
  city: '台北',
  price: 20,
  verified: true,
  accepts_video: true,
  joined_at: Date.UTC(2025, 0, 1),
  ...more,
});

const PEOPLE = [
  aPerson('kai', 'man'),
  aPerson('leo', 'man'),
  aPerson('mei', 'woman'),
  aPerson('yun', 'woman', { price: 30, accepts_video: false }),
];

/** Counted over all stages, since several may share a database. */
let ids = 0;

interface StageOptions {
  readonly billing?: boolean;
  /** Default: the sandbox. */
  readonly payments?: PaymentProvider;
  readonly people?: readonly ProductPerson[];
}

interface Answer {
  readonly status: number;
  readonly body: any;
}

export class Stage {
  readonly database: Database;
  readonly fixture: ExchangeFixture;
  readonly product: Product;
  readonly ledger: Ledger;
  readonly #told = new Map<string, ProductEvent[]>();
  readonly #tokens = new Map<string, string>();
  #keys = 0;

  constructor(database: Database, { billing = true, people = PEOPLE, payments }: StageOptions, clock: HandClock) {
    this.database = database;
    this.ledger = new Ledger(database);
    const make = () => `made-${(ids += 1)}`;
    this.fixture = createExchangeFixture({
      clock,
      ids: { uuid: make, token: make },
      users: people.map(({ u_id, nickname }) => ({ user_id: u_id, nickname, profile_url: '' })),
      ...(billing ? { policy: { mayDial: (dial) => this.product.mayDial(dial) } } : {}),
    });
    this.product = new Product({
      clock,
      rateLimits: clockedLimits(clock),
      ids: { uuid: make, token: make },
      log: productLog((entry) => void this.fixture.log.push(entry), clock),
      database: () => Promise.resolve(database),
      people,
      isDemo: true,
      calling: this.fixture.exchange,
      isBilled: billing,
      ports: { passwords: cheapPasswords, ...(payments ? { payments } : {}) },
      apiUrl: 'http://product.test',
      portrait: () => '<svg/>',
    });
  }

  get clock(): HandClock {
    return this.fixture.clock;
  }

  /** Signs a user in, and records the user's events. */
  async signIn(uId: string): Promise<void> {
    const { body } = await this.http('POST', '/auth/login', { body: { user_id: uId } });
    this.#tokens.set(uId, body.token);
    const told: ProductEvent[] = [];
    this.#told.set(uId, told);
    await this.product.socket('/ws/events', body.token, null, {
      send(text) {
        // Days of virtual time have tens of thousands of them.
        if (text === HEARTBEAT) return;
        const frame = JSON.parse(text);
        if ('event' in frame) told.push(frame.event);
      },
      close: () => undefined,
    });
  }

  /** The token of a signed-in user. */
  tokenOf(uId: string): string {
    return this.#tokens.get(uId) ?? '';
  }

  http(
    method: string,
    path: string,
    {
      headers = {},
      body,
      query = {},
    }: { headers?: Record<string, string>; body?: unknown; query?: Record<string, string> } = {},
  ): Promise<Answer> {
    return this.product.http({ method, path, query, headers, address: '192.0.2.1', body });
  }

  /** Sends a request of a signed-in user. Default of `key`: a new one. */
  ask(
    uId: string,
    method: string,
    path: string,
    {
      body,
      key = `key-${(this.#keys += 1)}-0000`,
      query = {},
    }: { body?: unknown; key?: string; query?: Record<string, string> } = {},
  ): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#tokens.get(uId)}`, 'idempotency-key': key };
    return this.http(method, path, { headers, body, query });
  }

  /** Returns the user's events of this kind. */
  told<Type extends ProductEvent['type']>(uId: string, type: Type): Extract<ProductEvent, { type: Type }>[] {
    const isOne = (event: ProductEvent): event is Extract<ProductEvent, { type: Type }> => event.type === type;
    return (this.#told.get(uId) ?? []).filter(isOne);
  }

  /** Creates coins, as if they were bought. */
  async give(man: string, coins: number): Promise<void> {
    await this.database.transact((transaction) =>
      this.ledger.post(transaction, {
        key: `given ${man} ${(this.#keys += 1)}`,
        kind: 'bonus',
        at: this.clock.wallTime(),
        ref: {},
        lines: [
          { account: 'house:sold', delta: -coins },
          { account: `coins:${man}`, delta: coins },
        ],
      }),
    );
  }

  coins(man: string): Promise<number> {
    return this.ledger.balance(`coins:${man}`);
  }

  /** Hundredths of a point. */
  settling(woman: string): Promise<number> {
    return this.ledger.balance(`settling:${woman}`);
  }

  /** Advances the time, second by second, with all that is due in each. The devices in a call stay alive. */
  async advance(seconds: number, alive: readonly (readonly [Device, string])[] = []): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      if (second % 20 === 0) for (const [device, call_id] of alive) device.send('alive', { call_id });
      this.clock.advance(1_000);
      await this.product.settled();
    }
  }

  close(): void {
    this.fixture.exchange.close();
    void this.product.dispose();
  }
}

/** A stage on this database, with every user signed in. */
export async function openStage(
  database: Database,
  options: StageOptions = {},
  clock = new HandClock(Date.UTC(2026, 0, 1)),
): Promise<Stage> {
  const stage = new Stage(database, options, clock);
  await stage.product.opened();
  for (const { u_id } of options.people ?? PEOPLE) await stage.signIn(u_id);
  return stage;
}
