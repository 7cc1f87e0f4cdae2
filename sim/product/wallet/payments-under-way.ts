import type { TimerHandle } from '../../exchange/ports.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { chunksOf } from '../chunks-of.ts';
import type { ProductParts } from '../parts.ts';
import { DEPOSIT_RULES } from '../rules.ts';
import type { Deposits } from './deposits.ts';

type Row = Tables['ringback_deposits'];

/** Orders that the provider is asked about at the same time. */
const AT_ONCE = 10;
/** A younger order may be one that a request waits for. Milliseconds. */
const ASK_AFTER_MS = DEPOSIT_RULES.answerMs * 2;
/** Orders of one look. */
const A_LOOK = 1_000;

/**
 * Settles payments whose answer was late, or did not come because a server died: it asks the provider, at start, when the
 * provider has news, and every 30 s for what is not decided. At start it asks about every code, and each hour about what was
 * given up in the last seven days: the news of a payment may come late, or while no server runs.
 */
export class PaymentsUnderWay {
  readonly #parts: Pick<ProductParts, 'database' | 'clock' | 'payments' | 'log'>;
  readonly #deposits: Deposits;
  readonly #works = new Set<Promise<void>>();
  #stop: (() => void) | null = null;
  #timer: TimerHandle | null = null;
  /** When the payments that were given up are asked about next, by the monotonic clock; null before the first look. */
  #nextLate: number | null = null;

  constructor(parts: Pick<ProductParts, 'database' | 'clock' | 'payments' | 'log'>, deposits: Deposits) {
    this.#parts = parts;
    this.#deposits = deposits;
  }

  /** Starts asking. No other server has an order of a database that is not shared: there each is asked about at once. */
  start(): void {
    const { database, payments } = this.#parts;
    this.#stop = payments.onNews((orderNo) => this.#do(() => this.#heard(orderNo)));
    this.#look(database.isShared ? ASK_AFTER_MS : 0);
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = null;
    if (this.#timer) this.#parts.clock.clearTimeout(this.#timer);
  }

  /** Resolves when the provider is not being asked about anything. */
  async settled(): Promise<void> {
    await Promise.all(this.#works);
  }

  /** @param ageMs - younger orders are left alone. */
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
        // One look at a time.
        if (this.#stop) this.#timer = clock.setTimeout(() => this.#look(ASK_AFTER_MS), DEPOSIT_RULES.lookMs);
      }
    });
  }

  /** @param isFirst - codes whose time is not over are asked about, too. */
  #undecided(ageMs: number, isFirst: boolean): Promise<Row[]> {
    const { database, clock } = this.#parts;
    const now = clock.now();
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

  /** Payments that were given up without a word of the provider, the newest first; none before an hour is over. */
  async #givenUp(): Promise<Row[]> {
    const { database, clock } = this.#parts;
    const now = clock.monotonic();
    if (this.#nextLate !== null && now < this.#nextLate) return [];
    this.#nextLate = now + DEPOSIT_RULES.lateLookMs;
    return database.db
      .selectFrom('ringback_deposits')
      .where('created_at', '>', clock.now() - DEPOSIT_RULES.lateMs)
      .where(({ eb, or, and }) =>
        or([eb('status', '=', 'expired'), and([eb('status', '=', 'failed'), eb('failure', '=', 'timed_out')])]),
      )
      .selectAll()
      .orderBy('created_at', 'desc')
      .limit(A_LOOK)
      .execute();
  }

  async #heard(orderNo: string): Promise<void> {
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
