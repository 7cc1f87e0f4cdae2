import * as v from 'valibot';
import { genderType, type GenderType } from '../../../src/protocol/product/values.ts';
import type { Database } from '../../store/database.ts';
import { statementOfOne } from '../../store/statement.ts';
import { OFFER_COLUMNS, type Offers } from './call-offers.ts';

/** The two users of a call, as their accounts are now. */
export interface Sides {
  /** Whether both may be connected: neither is suspended, and neither has blocked the other. */
  readonly mayMeet: boolean;
  /** Whether one has blocked the other. */
  readonly isBlocked: boolean;
  readonly caller: GenderType;
  readonly callee: GenderType;
  /** The calls that the woman offers. Null without her profile, and for a call between two men. */
  readonly offers: Offers | null;
}

/** Reads all that a dial needs to know of its two users in one statement. */
const find = statementOfOne((db, { callerId, calleeId }: { callerId: string; calleeId: string }) =>
  db
    .selectFrom('ringback_accounts as caller')
    .innerJoin('ringback_accounts as callee', (join) => join.on('callee.u_id', '=', calleeId))
    .leftJoin('ringback_profiles as profile', (join) =>
      join.on(({ eb, ref }) =>
        eb(
          'profile.u_id',
          '=',
          eb
            .case()
            .when('caller.gender_type', '=', 'woman')
            .then(ref('caller.u_id'))
            .when('callee.gender_type', '=', 'woman')
            .then(ref('callee.u_id'))
            .end(),
        ),
      ),
    )
    .where('caller.u_id', '=', callerId)
    .select([
      'caller.gender_type as caller',
      'callee.gender_type as callee',
      'caller.suspended_at as caller_suspended',
      'callee.suspended_at as callee_suspended',
      'profile.u_id as profile',
      ...OFFER_COLUMNS,
    ])
    .select((select) =>
      select
        .selectFrom('ringback_blocks as block')
        .where((eb) =>
          eb.or([
            eb.and([eb('block.u_id', '=', callerId), eb('block.other', '=', calleeId)]),
            eb.and([eb('block.u_id', '=', calleeId), eb('block.other', '=', callerId)]),
          ]),
        )
        .select('block.u_id')
        .limit(1)
        .as('blocked_by'),
    ),
);

/** Finds both sides of a call. Null when one has no account. */
export async function findSides(db: Database['db'], callerId: string, calleeId: string): Promise<Sides | null> {
  const row = await find(db, { callerId, calleeId });
  if (!row) return null;
  const isBlocked = row.blocked_by !== null;
  return {
    isBlocked,
    mayMeet: !isBlocked && row.caller_suspended === null && row.callee_suspended === null,
    caller: v.parse(genderType, row.caller),
    callee: v.parse(genderType, row.callee),
    offers: row.profile === null ? null : (row as Offers),
  };
}

/** Returns whether two users may be connected: both have accounts, none is suspended, and none has blocked the other. */
export async function mayMeet({ db }: Pick<Database, 'db'>, callerId: string, calleeId: string): Promise<boolean> {
  return (await findSides(db, callerId, calleeId))?.mayMeet === true;
}
