/**
 * The evidence that a trace must show to prove a requirement. A scenario fails if it claims a requirement without a
 * row here, or one that its trace does not show.
 */
import { DIRECT_CALL } from './evidence/direct-call.ts';
import { FEATURES } from './evidence/features.ts';
import { PEER_CONNECTION } from './evidence/peer-connection.ts';
import { ROOMS } from './evidence/rooms.ts';
import { WIRE } from './evidence/wire.ts';
import { type Evidence, raised, type Tolerance, type Trace } from './predicates.ts';

/** The evidence of requirements, by id. Those of the error codes are separate. */
export const EVIDENCE: Readonly<Record<string, Evidence>> = {
  ...DIRECT_CALL,
  ...PEER_CONNECTION,
  ...FEATURES,
  ...ROOMS,
  ...WIRE,
};

/** Returns the evidence of a requirement. `ERR-1800101`: the library or the exchange raised the code. */
function evidenceFor(id: string): Evidence | undefined {
  const code = /^ERR-(\d{7})$/.exec(id)?.[1];
  return code === undefined ? EVIDENCE[id] : raised(Number(code));
}

/** Returns whether a trace can show a requirement. */
export const hasEvidence = (id: string): boolean => evidenceFor(id) !== undefined;

/** Returns the claims that the trace proves, and those that it does not. */
export function proveClaims(
  claims: readonly string[],
  trace: Trace,
  tolerance: Tolerance,
): { proven: string[]; unproven: string[] } {
  const shown = (id: string) => evidenceFor(id)?.(trace, tolerance) ?? false;
  return { proven: claims.filter(shown), unproven: claims.filter((id) => !shown(id)) };
}
