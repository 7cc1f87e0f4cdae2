import type { PushPayload } from '../../../src/protocol/product/push.ts';
import { mostKept } from '../../budgets/table.ts';
import type { Clock } from '../../../src/common/clock.ts';
import type { PushSender } from '../../push/web-push-sender.ts';
import type { Database } from '../../store/database.ts';
import { holdAccount } from '../accounts/hold-account.ts';
import { hashOf } from '../accounts/sign-ins.ts';
import type { EventHub } from '../event-hub.ts';
import type { Me } from '../handlers.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Pick<Clock, 'wallTime'>;
  readonly events: EventHub;
  readonly sender: PushSender;
}

const MOST_DEVICES = mostKept('savePushToken', 'push tokens');

/** An app reports every seven days. A device without a report for this long is deleted. Milliseconds. */
const QUIET_MS = 60 * 24 * 60 * 60 * 1_000;

/** How a user was notified: in the open app, or by a push message to some devices. */
export type Notified = { readonly by: 'app' } | { readonly by: 'push'; readonly devices: number };

/** The devices of users, and notifications in the app or on these devices. */
export class Devices {
  readonly #dependencies: Dependencies;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Stores a device for this user alone, until the user signs out on it. Above the limit, the oldest device is deleted.
   *
   * @throws Refusal `signed_out` when the account was closed meanwhile.
   */
  async save({ uId, token: session }: Pick<Me, 'uId' | 'token'>, token: string, aliveOn: string | null): Promise<void> {
    const { database, clock } = this.#dependencies;
    const row = { u_id: uId, token, session_hash: hashOf(session), saved_at: clock.wallTime(), alive_on: aliveOn };
    await database.transact(async (transaction) => {
      await holdAccount(database, transaction, uId);
      await transaction
        .insertInto('ringback_devices')
        .values({ ...row, token_hash: hashOf(token) })
        .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(row))
        .execute();
      const kept = transaction
        .selectFrom('ringback_devices')
        .where('u_id', '=', uId)
        .orderBy('saved_at', 'desc')
        .limit(MOST_DEVICES)
        .select('token_hash');
      await transaction
        .deleteFrom('ringback_devices')
        .where('u_id', '=', uId)
        .where('token_hash', 'not in', kept)
        .execute();
    });
  }

  async forget(uId: string, token: string): Promise<void> {
    await this.#dependencies.database.db
      .deleteFrom('ringback_devices')
      .where('u_id', '=', uId)
      .where('token_hash', '=', hashOf(token))
      .execute();
  }

  /** Notifies a user: in the app when it is open, else on their devices. */
  async notify(uId: string, payload: PushPayload): Promise<Notified> {
    const { database, clock, events, sender } = this.#dependencies;
    if (events.isConnected(uId)) {
      events.publish([uId], { type: 'push', payload });
      return { by: 'app' };
    }
    const { db } = database;
    await db
      .deleteFrom('ringback_devices')
      .where('saved_at', '<', clock.wallTime() - QUIET_MS)
      .execute();
    const rows = await db
      .selectFrom('ringback_devices as device')
      .leftJoin('ringback_accounts as account', 'account.u_id', 'device.u_id')
      .where('device.u_id', '=', uId)
      .where('account.suspended_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('ringback_sign_ins as session')
            .whereRef('session.token_hash', '=', 'device.session_hash')
            .where('session.expires_at', '>', clock.wallTime())
            .select('session.u_id'),
        ),
      )
      .select('device.token')
      .execute();
    const gone = await sender.send(
      rows.map(({ token }) => token),
      payload,
    );
    if (gone.length > 0) await db.deleteFrom('ringback_devices').where('token_hash', 'in', gone.map(hashOf)).execute();
    return { by: 'push', devices: rows.length - gone.length };
  }
}
