import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { BegunCall } from '../../exchange/calls/call-event.ts';
import type { Database } from '../../store/database.ts';
import type { BilledCall, Reservations } from './reservations.ts';
import type { CallBooks } from './call-books.ts';
import { offerOf } from '../people/call-offers.ts';
import { findSides } from '../people/sides.ts';
import { newSession, type Session } from './session.ts';

interface Dependencies {
  readonly database: Database;
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
  { database }: Dependencies,
  { callId, caller, callee, isVideoCall, at }: Begun,
): Promise<BilledCall | null> {
  const kind: CallKind = isVideoCall ? 'video' : 'voice';
  const sides = await findSides(database.db, caller, callee);
  if (!sides || sides.caller === sides.callee) return null;
  const [man, woman] = sides.caller === 'man' ? [caller, callee] : [callee, caller];
  const { rate } = offerOf(sides.offers, kind, at);
  return rate === 0 ? null : { callId, man, woman, kind, rate };
}
