import type { CallKind } from '../../../src/protocol/product/calls.ts';
import type { BegunCall } from '../../exchange/calls/call-event.ts';
import type { Database } from '../../store/database.ts';
import type { BilledCall } from './reservations.ts';
import type { CallBooks } from './call-books.ts';
import { offerOf } from '../people/call-offers.ts';
import { findSides } from '../people/sides.ts';
import { newSession, type Session } from './session.ts';

interface Dependencies {
  readonly database: Database;
  readonly books: CallBooks;
}

/** A call whose media has begun. */
export type Begun = Pick<BegunCall, 'callId' | 'caller' | 'callee' | 'isVideoCall' | 'at' | 'clock'>;

/** Opens the session of a call and its page in the books. Returns null when the call is free. */
export async function openSession(dependencies: Dependencies, begun: Begun): Promise<Session | null> {
  const { books } = dependencies;
  const kept = await books.openReserved(begun);
  if (kept) return newSession(kept, begun.clock);
  const call = await offered(dependencies, begun);
  if (!call) return null;
  await books.open(call, begun.at);
  return newSession(call, begun.clock);
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
