import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { BegunCall } from '../../exchange/calls/call-event.ts';
import type { Database } from '../../store/database.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { BilledCall, Reservations } from './reservations.ts';
import type { CallBooks } from './call-books.ts';
import { offerOf } from '../people/call-offers.ts';
import { newSession, type Session } from './session.ts';

interface Dependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly books: CallBooks;
  readonly reservations: Reservations;
}

/** A call whose media has begun. */
export type Begun = Pick<BegunCall, 'callId' | 'caller' | 'callee' | 'isVideoCall' | 'at' | 'clock'>;

/** Opens the session of a call and its page in the books. Returns null when the call is free. */
export async function openSession(dependencies: Dependencies, begun: Begun): Promise<Session | null> {
  const kept = await reserved(dependencies, begun);
  const call = kept ?? (await offered(dependencies, begun));
  if (!call) return null;
  await dependencies.books.open(call, begun.at, kept !== undefined);
  return newSession(call, begun.clock);
}

/**
 * Finds the reservation of a call. A reservation of two other users is released, since neither of these agreed to its
 * price.
 */
async function reserved(
  { reservations }: Dependencies,
  { callId, caller, callee }: Begun,
): Promise<BilledCall | undefined> {
  const kept = await reservations.of(callId);
  const sides = [caller, callee];
  if (!kept || (sides.includes(kept.man) && sides.includes(kept.woman))) return kept;
  await reservations.release(callId);
  return undefined;
}

/** Prices a call without a reservation at the current price. Returns null when the call is free. */
async function offered(
  { accounts, database }: Dependencies,
  { callId, caller, callee, isVideoCall, at }: Begun,
): Promise<BilledCall | null> {
  const kind: CallKind = isVideoCall ? 'video' : 'voice';
  const [one, other] = await accounts.both(caller, callee);
  if (!one || !other || one.genderType === other.genderType) return null;
  const [man, woman] = one.genderType === 'man' ? [one.uId, other.uId] : [other.uId, one.uId];
  const { rate } = await offerOf(database.db, woman, kind, at);
  return rate === 0 ? null : { callId, man, woman, kind, rate };
}
