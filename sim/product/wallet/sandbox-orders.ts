import * as v from 'valibot';
import { depositFailure } from '../../../src/protocol/product/wallet.ts';
import type { SharedState } from '../../cluster/shared-state.ts';
import type { PaymentOutcome } from './payment-provider.ts';

/** An order of the sandbox: its outcome, or no answer at all. */
export type SandboxOrder = PaymentOutcome | 'silent';

/** The orders of the sandbox. */
export interface SandboxOrders {
  get(orderNo: string): Promise<SandboxOrder | undefined>;
  /** Adds an order, unless there is one. Returns the order of this number. */
  add(orderNo: string, order: SandboxOrder): Promise<SandboxOrder>;
  /** Replaces an order, unless it has changed since it was read. Undefined stands for no order. */
  replace(orderNo: string, before: SandboxOrder | undefined, order: SandboxOrder): Promise<void>;
}

/** The number of remembered orders. The oldest are dropped first. */
const ORDERS = 10_000;
/** The time for which a cluster remembers an order. It is longer than any payment is asked about. Milliseconds. */
const ORDER_MS = 30 * 24 * 3_600_000;

/** The orders in the memory of one process. */
export class MemoryOrders implements SandboxOrders {
  readonly #orders = new Map<string, SandboxOrder>();

  async get(orderNo: string): Promise<SandboxOrder | undefined> {
    return this.#orders.get(orderNo);
  }

  async add(orderNo: string, order: SandboxOrder): Promise<SandboxOrder> {
    const known = this.#orders.get(orderNo);
    if (known === undefined) this.#remember(orderNo, order);
    return known ?? order;
  }

  async replace(orderNo: string, before: SandboxOrder | undefined, order: SandboxOrder): Promise<void> {
    if (this.#orders.get(orderNo) === before) this.#remember(orderNo, order);
  }

  #remember(orderNo: string, order: SandboxOrder): void {
    this.#orders.set(orderNo, order);
    for (const oldest of this.#orders.keys()) {
      if (this.#orders.size <= ORDERS) break;
      this.#orders.delete(oldest);
    }
  }
}

const stored = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.literal('silent'),
    v.object({ status: v.literal('paid') }),
    v.object({ status: v.literal('failed'), failure: depositFailure }),
    v.object({ status: v.literal('pending'), payCode: v.nullable(v.string()) }),
  ]),
);
const FIELD = 'order';
const keyOf = (orderNo: string): string => `product sandbox ${orderNo}`;

/** The orders of the nodes of a cluster. */
export class SharedOrders implements SandboxOrders {
  readonly #state: Pick<SharedState, 'fields' | 'changeFields'>;

  constructor(state: Pick<SharedState, 'fields' | 'changeFields'>) {
    this.#state = state;
  }

  async get(orderNo: string): Promise<SandboxOrder | undefined> {
    const text = (await this.#state.fields(keyOf(orderNo))).get(FIELD);
    return text === undefined ? undefined : v.parse(stored, text);
  }

  async add(orderNo: string, order: SandboxOrder): Promise<SandboxOrder> {
    await this.replace(orderNo, undefined, order);
    return (await this.get(orderNo)) ?? order;
  }

  async replace(orderNo: string, before: SandboxOrder | undefined, order: SandboxOrder): Promise<void> {
    await this.#state.changeFields(keyOf(orderNo), {
      where: { field: FIELD, is: before === undefined ? null : JSON.stringify(before) },
      set: { [FIELD]: JSON.stringify(order) },
      lifeMs: ORDER_MS,
    });
  }
}
