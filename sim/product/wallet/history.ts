import * as v from 'valibot';
import type { ReadRequest } from '../../../src/protocol/product/api.ts';
import { callKind } from '../../../src/protocol/product/calls.ts';
import {
  entryKind,
  TRANSACTION_TYPES,
  type ChargeSession,
  type EntryKind,
  type TransactionEntry,
  type TransactionType,
} from '../../../src/protocol/product/wallet.ts';
import type { Tables } from '../../store/tables/tables.ts';
import type { Me } from '../handlers.ts';
import { purseOf } from '../ledger/account.ts';
import { reference } from '../ledger/ledger.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import { dayBegins, dayEnds } from '../calendar.ts';

type Parts = Pick<ProductParts, 'database' | 'portraitUrl'>;
type Companions = ReadonlyMap<string, NonNullable<TransactionEntry['with']>>;

const isType = (type: string): type is TransactionType => TRANSACTION_TYPES.some((known) => known === type);
const isKind = (type: TransactionType): type is TransactionType & EntryKind => type !== 'all';
/** Transfers within a purse are not shown to its owner. */
const SHOWN: readonly EntryKind[] = TRANSACTION_TYPES.filter(isKind);

const sessionKind = v.picklist([...callKind.options, 'message']);

/** The history of a user's money. */
export class History {
  readonly #with: Parts;

  constructor(parts: Parts) {
    this.#with = parts;
  }

  /** Lists a page of entries. @throws Refusal `not_found` for an unknown type. The message lists the known types. */
  async entries(me: Me, { type, cursor, limit, from, to }: ReadRequest<'transactions'>['query']) {
    if (!isType(type)) {
      throw new Refusal('not_found', `Unknown type ${type}. The types are ${TRANSACTION_TYPES.join(', ')}.`, {
        field: 'type',
      });
    }
    let query = this.#with.database.db
      .selectFrom('ringback_entries as entry')
      .innerJoin('ringback_transfers as transfer', 'transfer.key', 'entry.transfer')
      .where('entry.purse', '=', purseOf(me.genderType === 'man' ? 'coins' : 'points', me.uId))
      .where('entry.kind', 'in', isKind(type) ? [type] : SHOWN)
      .select(['entry.seq', 'entry.kind', 'entry.delta', 'entry.purse_after', 'entry.at', 'transfer.ref'])
      .orderBy('entry.seq', 'desc')
      .limit(limit + 1);
    if (from !== undefined) query = query.where('entry.at', '>=', dayBegins(from));
    if (to !== undefined) query = query.where('entry.at', '<', dayEnds(to));
    if (cursor !== undefined) {
      if (!/^\d{1,15}$/.test(cursor)) throw notOfThisList();
      query = query.where('entry.seq', '<', Number(cursor));
    }
    const rows = await query.execute();
    const shown = rows.slice(0, limit).map((row) => ({ ...row, ref: v.parse(reference, JSON.parse(row.ref)) }));
    const otherOf = ({ man, woman }: (typeof shown)[number]['ref']) => (me.uId === man ? woman : man);
    const companions = await this.#companions(shown.flatMap(({ ref }) => otherOf(ref) ?? []));
    const items = shown.map(({ seq, kind, delta, purse_after, at, ref }): TransactionEntry => ({
      id: String(seq),
      type: v.parse(entryKind, kind),
      delta,
      balance_after: purse_after ?? 0,
      at,
      with: companions.get(otherOf(ref) ?? '') ?? null,
      gift_id: ref.gift ?? null,
      count: ref.count ?? null,
      minute: ref.minute ?? null,
      call_id: ref.call ?? null,
      deposit_id: ref.deposit ?? null,
    }));
    return { items, next: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  async sessions(me: Me, { cursor, limit }: ReadRequest<'chargeSessions'>['query']) {
    let query = this.#with.database.db
      .selectFrom('ringback_charge_sessions')
      .where(me.genderType, '=', me.uId)
      .selectAll()
      .orderBy('started_at', 'desc')
      .orderBy('session_id', 'desc')
      .limit(limit + 1);
    if (cursor !== undefined) {
      const [, at = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
      if (id === '') throw notOfThisList();
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('started_at', 'session_id'), '<', tuple(Number(at), id)),
      );
    }
    const rows = await query.execute();
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: await this.#sessionsOf(me, shown),
      next: rows.length > limit && last ? `${last.started_at}.${last.session_id}` : null,
    };
  }

  /**
   * Returns one charge session of the user with its minutes. @throws Refusal `not_found`, also for one of another user
   * (S06).
   */
  async session(me: Me, sessionId: string) {
    const { db } = this.#with.database;
    const row = await db
      .selectFrom('ringback_charge_sessions')
      .where('session_id', '=', sessionId)
      .where(me.genderType, '=', me.uId)
      .selectAll()
      .executeTakeFirst();
    const [session] = row ? await this.#sessionsOf(me, [row]) : [];
    if (!row || !session) throw new Refusal('not_found', 'No charge session of this user has this id.');
    // One more than the charged minutes: the refunded one.
    const keys = Array.from({ length: row.count + 1 }, (_, at) => `call:${sessionId}:${at + 1}`);
    const entries =
      row.kind === 'message'
        ? []
        : await db
            .selectFrom('ringback_entries')
            .where('transfer', 'in', [...keys, ...keys.map((key) => `${key}:refund`)])
            .where('purse', '=', purseOf(me.genderType === 'man' ? 'coins' : 'points', me.uId))
            .select(['transfer', 'delta', 'at'])
            .execute();
    const refunded = new Set(entries.map(({ transfer }) => transfer));
    const minutes = keys.flatMap((key, at) => {
      const entry = entries.find(({ transfer }) => transfer === key);
      if (!entry) return [];
      return [
        { minute: at + 1, at: entry.at, amount: Math.abs(entry.delta), is_refunded: refunded.has(`${key}:refund`) },
      ];
    });
    return { session, minutes };
  }

  async #sessionsOf({ genderType }: Me, rows: readonly Tables['ringback_charge_sessions'][]): Promise<ChargeSession[]> {
    const isMan = genderType === 'man';
    const companions = await this.#companions(rows.map(({ man, woman }) => (isMan ? woman : man)));
    return rows.map(
      ({ man, woman, kind, coins, points, session_id, started_at, duration, rate, count, end_result }) => ({
        session_id,
        kind: v.parse(sessionKind, kind),
        with: companions.get(isMan ? woman : man) ?? null,
        started_at,
        duration,
        rate,
        count,
        amount: isMan ? coins : points,
        end_result,
      }),
    );
  }

  async #companions(uIds: readonly string[]): Promise<Companions> {
    if (uIds.length === 0) return new Map();
    const rows = await this.#with.database.db
      .selectFrom('ringback_profiles')
      .where('u_id', 'in', [...new Set(uIds)])
      .select(['u_id', 'nickname'])
      .execute();
    const { portraitUrl } = this.#with;
    return new Map(rows.map(({ u_id, nickname }) => [u_id, { u_id, nickname, profile_url: portraitUrl(u_id) }]));
  }
}

const notOfThisList = () => new Refusal('invalid', 'The cursor does not belong to this list.', { field: 'cursor' });
