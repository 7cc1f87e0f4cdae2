import type { Transaction } from 'kysely';
import * as v from 'valibot';
import {
  type DocumentKind,
  documentKind,
  documentStep,
  type DocumentStep,
  type IdentityStatus,
  identityStatus,
  STEPS_OF,
} from '../../../src/protocol/product/verification.ts';
import { mostKept } from '../../budgets/table.ts';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables/tables.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { KeyedTimers } from '../keyed-timers.ts';
import type { ProductParts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Reviewer } from './reviewer.ts';

const DAY_MS = 24 * 3_600_000;
const TRIES = mostKept('submitIdentity', 'reviews');
const TRIES_WINDOW_MS = 30 * DAY_MS;
const HOLDS_YEARS = 2;
/** The states in which a user may upload pictures. */
const OPEN: readonly IdentityStatus['state'][] = ['none', 'draft', 'rejected', 'expired'];

type Parts = Pick<ProductParts, 'database' | 'clock' | 'events' | 'log'>;

/**
 * The identity verifications of women. A row is a draft, pending, approved or rejected. Its time says whether an
 * approval has expired. The reviewer's decision is due at `decided_at`, also after downtime.
 */
export class Identities {
  readonly #parts: Parts;
  readonly #reviewer: Reviewer;
  readonly #timers: KeyedTimers;
  /** The pictures that are being made. A withdrawal removes those of its user. */
  readonly #awaited = new Set<{ readonly uId: string }>();

  constructor(parts: Parts, reviewer: Reviewer) {
    this.#parts = parts;
    this.#reviewer = reviewer;
    this.#timers = new KeyedTimers(parts.clock);
  }

  /** Resumes pending reviews, and revokes expired approvals. */
  async resume(): Promise<void> {
    const rows = await this.#parts.database.db
      .selectFrom('ringback_identities')
      .where('state', 'in', ['pending', 'approved'])
      .select(['u_id', 'state', 'decided_at'])
      .execute();
    for (const { u_id, state, decided_at } of rows) {
      if (state === 'pending') this.#await(u_id, decided_at ?? 0);
      else await this.#settle(u_id);
    }
  }

  async statusOf(uId: string): Promise<IdentityStatus> {
    await this.#settle(uId);
    return this.#read(uId, this.#parts.database.db);
  }

  /** Reads the stored state of a verification, currently or within a transaction. */
  async #read(uId: string, db: Database['db']): Promise<IdentityStatus> {
    const now = this.#parts.clock.wallTime();
    const row = await db.selectFrom('ringback_identities').where('u_id', '=', uId).selectAll().executeTakeFirst();
    const tries = await this.#tries(uId, db);
    const pictures = await db.selectFrom('ringback_identity_pictures').where('u_id', '=', uId).select('step').execute();
    const oldest = tries[TRIES - 1];
    const isExpired = row?.state === 'approved' && (row.expires_at ?? 0) <= now;
    return v.parse(identityStatus, {
      state: isExpired ? 'expired' : (row?.state ?? 'none'),
      document_kind: row?.document_kind ?? null,
      steps: pictures.map(({ step }) => step),
      submitted_at: row?.submitted_at ?? null,
      decided_at: row?.decided_at ?? null,
      expires_at: row?.expires_at ?? null,
      reasons: row ? JSON.parse(row.reasons) : [],
      tries_left: Math.max(0, TRIES - tries.length),
      next_try_at: oldest === undefined ? null : oldest + TRIES_WINDOW_MS,
    });
  }

  /**
   * Adds a picture to the draft. Another kind of document begins a new draft.
   *
   * @param makePicture - called once the picture may be added. It may wait in a queue. A submission, a withdrawal or a
   * draft of another document that came meanwhile stands.
   * @throws Refusal `wrong_state`, `invalid`; `signed_out` when the account was closed meanwhile; the errors of
   * makePicture.
   */
  async put(uId: string, kind: DocumentKind, step: DocumentStep, makePicture: () => Promise<string>): Promise<void> {
    if (!STEPS_OF[kind].includes(step)) {
      throw new Refusal('invalid', `step is wrong: this document has no ${step}.`, { field: 'step' });
    }
    const awaited = { uId };
    this.#awaited.add(awaited);
    try {
      const before = await this.statusOf(uId);
      refuseState(before.state, OPEN);
      const picture = await makePicture();
      await this.#inTurn(uId, async (transaction) => {
        const now = await this.#read(uId, transaction);
        refuseState(now.state, OPEN);
        // The draft was withdrawn meanwhile, here or on another server. Its pictures must not come back.
        if (!this.#awaited.has(awaited) || (now.state === 'none' && before.state !== 'none')) throw wrongState();
        // A draft of another document was begun meanwhile. Its pictures must stay.
        if (now.document_kind !== kind && now.document_kind !== before.document_kind) throw wrongState();
        await this.#add(transaction, uId, { isNew: now.document_kind !== kind, kind, step, picture });
      });
    } finally {
      this.#awaited.delete(awaited);
    }
  }

  async #add(
    transaction: Transaction<Tables>,
    uId: string,
    { isNew, kind, step, picture }: { isNew: boolean; kind: DocumentKind; step: DocumentStep; picture: string },
  ): Promise<void> {
    if (isNew) {
      await transaction.deleteFrom('ringback_identity_pictures').where('u_id', '=', uId).execute();
    }
    const draft = {
      state: 'draft',
      document_kind: kind,
      note: '',
      submitted_at: null,
      decided_at: null,
      expires_at: null,
      reasons: '[]',
    };
    await transaction
      .insertInto('ringback_identities')
      .values({ u_id: uId, ...draft })
      .onConflict((conflict) => conflict.column('u_id').doUpdateSet(draft))
      .execute();
    await transaction
      .insertInto('ringback_identity_pictures')
      .values({ u_id: uId, step, picture })
      .onConflict((conflict) => conflict.columns(['u_id', 'step']).doUpdateSet({ picture }))
      .execute();
  }

  /** Submits the draft. @throws Refusal `wrong_state`, `incomplete`, `no_tries_left`. */
  async submit(uId: string, note: string): Promise<void> {
    const now = this.#parts.clock.wallTime();
    const decided_at = now + this.#reviewer.takesMs;
    await this.#inTurn(uId, async (transaction) => {
      const { state, document_kind, steps, tries_left, next_try_at } = await this.#read(uId, transaction);
      refuseState(state, ['draft']);
      const missing = STEPS_OF[v.parse(documentKind, document_kind)].find((step) => !steps.includes(step));
      if (missing) throw new Refusal('incomplete', `The ${missing} is missing.`, { field: missing });
      if (tries_left === 0) {
        throw new Refusal('no_tries_left', 'The limit is three submissions in thirty days.', {
          retry_after: Math.ceil(((next_try_at ?? now) - now) / 1_000),
        });
      }
      await transaction
        .updateTable('ringback_identities')
        .set({ state: 'pending', note, submitted_at: now, decided_at })
        .where('u_id', '=', uId)
        .execute();
      await transaction.insertInto('ringback_identity_tries').values({ u_id: uId, at: now }).execute();
    });
    this.#await(uId, decided_at);
  }

  /** Deletes the pictures and the verification. Earlier submissions still count. */
  async withdraw(uId: string): Promise<void> {
    for (const awaited of this.#awaited) if (awaited.uId === uId) this.#awaited.delete(awaited);
    await this.#inTurn(uId, async (transaction) => {
      await transaction.deleteFrom('ringback_identity_pictures').where('u_id', '=', uId).execute();
      await transaction.deleteFrom('ringback_identities').where('u_id', '=', uId).execute();
      await transaction.updateTable('ringback_profiles').set({ verified: 0 }).where('u_id', '=', uId).execute();
    });
    this.#timers.cancel(uId);
  }

  dispose(): void {
    this.#timers.dispose();
  }

  #await(uId: string, due: number): void {
    const { clock, log } = this.#parts;
    const settle = (): void => {
      this.#settle(uId).catch((error: unknown) => log.error('a review was not settled', { error }));
    };
    this.#timers.set(uId, due - clock.wallTime(), settle);
  }

  /** Runs a change of the user's own verification. Of two parallel changes, the second sees the first. */
  #inTurn(uId: string, work: (transaction: Transaction<Tables>) => Promise<void>): Promise<void> {
    const { database } = this.#parts;
    return database.transact(async (transaction) => {
      await holdAccount(database, transaction, uId);
      await database.lock(transaction, `identity:${uId}`);
      await work(transaction);
    });
  }

  /** Stores a due change: the reviewer's decision, or the expiry of an approval. */
  async #settle(uId: string): Promise<void> {
    const { database, clock, events } = this.#parts;
    const now = clock.wallTime();
    const hasChanged = await database.transact(async (transaction) => {
      await database.lock(transaction, `identity:${uId}`);
      const row = await transaction
        .selectFrom('ringback_identities')
        .where('u_id', '=', uId)
        .selectAll()
        .executeTakeFirst();
      if (row?.state === 'approved' && (row.expires_at ?? 0) <= now) {
        await transaction.updateTable('ringback_profiles').set({ verified: 0 }).where('u_id', '=', uId).execute();
        return false;
      }
      if (row?.state !== 'pending' || (row.decided_at ?? 0) > now) return false;
      const faults = this.#reviewer.decide({
        uId,
        documentKind: v.parse(documentKind, row.document_kind),
        note: row.note,
      });
      const isApproved = faults.length === 0;
      await transaction
        .updateTable('ringback_identities')
        .set({
          state: isApproved ? 'approved' : 'rejected',
          reasons: JSON.stringify(faults),
          expires_at: isApproved ? yearsAfter(row.decided_at ?? now, HOLDS_YEARS) : null,
        })
        .where('u_id', '=', uId)
        .execute();
      // Pictures are deleted once they are not needed: all after an approval, else those that must be taken again.
      const done = isApproved ? documentStep.options : faults.map(({ step }) => step);
      await transaction
        .deleteFrom('ringback_identity_pictures')
        .where('u_id', '=', uId)
        .where('step', 'in', done)
        .execute();
      if (isApproved) {
        await transaction.updateTable('ringback_profiles').set({ verified: 1 }).where('u_id', '=', uId).execute();
      }
      return true;
    });
    if (hasChanged) {
      this.#timers.cancel(uId);
      events.publish([uId], { type: 'verification_changed', identity: await this.statusOf(uId) });
    }
  }

  /** Returns the times of her submissions, the latest first. */
  async #tries(uId: string, db: Database['db']): Promise<readonly number[]> {
    const rows = await db
      .selectFrom('ringback_identity_tries')
      .where('u_id', '=', uId)
      .where('at', '>', this.#parts.clock.wallTime() - TRIES_WINDOW_MS)
      .orderBy('at', 'desc')
      .select('at')
      .execute();
    return rows.map(({ at }) => at);
  }
}

function refuseState(state: IdentityStatus['state'], allowed: readonly IdentityStatus['state'][]): void {
  if (!allowed.includes(state)) throw wrongState();
}

const wrongState = (): Refusal =>
  new Refusal('wrong_state', 'The current state of the verification does not allow this request.');

function yearsAfter(time: number, years: number): number {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date.getTime();
}
