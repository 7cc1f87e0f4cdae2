import type { Timer } from '../../../src/common/clock.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { chunksOf } from '../many-rows.ts';
import type { ProductParts } from '../parts.ts';
import { DEPOSIT_RULES } from '../rules.ts';
import type { Deposits } from './deposits.ts';

type Row = Tables['ringback_deposits'];

/** The number of orders that the server asks about in parallel. */
const AT_ONCE = 10;
/** A younger order may belong to a request that still waits. Milliseconds. */
const ASK_AFTER_MS = DEPOSIT_RULES.answerMs * 2;
/** The most orders of one look. */
const A_LOOK = 1_000;

/**
 * Settles payments whose answer was late, or was lost because a server died. It asks the provider at the start, on
 * notifications, and every 30 s about open payments. At the start it asks about every code. Each hour it asks about
 * payments that were given up in the last seven days, since their notification may come late or while no server runs.
 */
export class PaymentsUnderWay {
  readonly #parts: Pick<ProductParts, 'database' | 'clock' | 'payments' | 'log'>;
  readonly #deposits: Deposits;
  readonly #works = new Set<Promise<void>>();
  #stop: (() => void) | null = null;
  #timer: Timer | null = null;
  /** When the given-up payments are due for the next look, by the monotonic clock. Null before the first look. */
  #nextLate: number | null = null;

  constructor(parts: Pick<ProductParts, 'database' | 'clock' | 'payments' | 'log'>, deposits: Deposits) {
    this.#parts = parts;
    this.#deposits = deposits;
  }

  /** Starts asking. A database that is not shared has only this server's orders, so each is asked about at once. */
  start(): void {
    const { database, payments } = this.#parts;
    this.#stop = payments.onUpdate((orderNo) => this.#do(() => this.#onUpdate(orderNo)));
    this.#look(database.isShared ? ASK_AFTER_MS : 0);
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = null;
    this.#timer?.cancel();
  }

  /** Resolves when no request to the provider is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#works);
  }

  /** @param ageMs - the least age of an order. */
  #look(ageMs: number): void {
    const { clock } = this.#parts;
    this.#do(async () => {
      try {
        const isFirst = this.#nextLate === null;
        const due = [...(await this.#undecided(ageMs, isFirst)), ...(await this.#givenUp())];
        for (const rows of chunksOf(due, AT_ONCE)) {
          await Promise.all(rows.map((row) => this.#deposits.ask(row)));
        }
      } finally {
        // The next look is scheduled after this one, so that there is one at a time.
        if (this.#stop) this.#timer = clock.after(DEPOSIT_RULES.lookMs, () => this.#look(ASK_AFTER_MS));
      }
    });
  }

  /** @param isFirst - whether to ask also about codes that have not expired. */
  #undecided(ageMs: number, isFirst: boolean): Promise<Row[]> {
    const { database, clock } = this.#parts;
    const now = clock.wallTime();
    return database.db
      .selectFrom('ringback_deposits')
      .where(({ eb, or, and }) =>
        or([
          and([eb('status', '=', 'processing'), ...(ageMs === 0 ? [] : [eb('created_at', '<=', now - ageMs)])]),
          and([eb('status', '=', 'pending'), ...(isFirst ? [] : [eb('expires_at', '<=', now)])]),
        ]),
      )
      .selectAll()
      .orderBy('created_at')
      .limit(A_LOOK)
      .execute();
  }

  /**
   * Returns payments that were given up without an answer of the provider, the newest first. Empty before an hour is
   * over.
   */
  async #givenUp(): Promise<Row[]> {
    const { database, clock } = this.#parts;
    const now = clock.now();
    if (this.#nextLate !== null && now < this.#nextLate) return [];
    this.#nextLate = now + DEPOSIT_RULES.lateLookMs;
    return database.db
      .selectFrom('ringback_deposits')
      .where('created_at', '>', clock.wallTime() - DEPOSIT_RULES.lateMs)
      .where(({ eb, or, and }) =>
        or([eb('status', '=', 'expired'), and([eb('status', '=', 'failed'), eb('failure', '=', 'timed_out')])]),
      )
      .selectAll()
      .orderBy('created_at', 'desc')
      .limit(A_LOOK)
      .execute();
  }

  async #onUpdate(orderNo: string): Promise<void> {
    const row = await this.#parts.database.db
      .selectFrom('ringback_deposits')
      .where('order_no', '=', orderNo)
      .selectAll()
      .executeTakeFirst();
    if (row) await this.#deposits.ask(row);
  }

  #do(work: () => Promise<void>): void {
    const done = work()
      .catch((error: unknown) => this.#parts.log.error('payments under way could not be settled', { error }))
      .finally(() => this.#works.delete(done));
    this.#works.add(done);
  }
}
