/**
 * What a trace must show for a requirement to count as proven by it. A scenario that claims a requirement which has no
 * row, or whose trace does not show it, fails: nothing is proven by saying so.
 */
import { DIRECT_CALL } from './evidence/direct-call.ts';
import { FEATURES } from './evidence/features.ts';
import { PEER_CONNECTION } from './evidence/peer-connection.ts';
import { WIRE } from './evidence/wire.ts';
import { type Evidence, raised, type Tolerance, type Trace } from './looks.ts';

/** The requirements that a trace can show, by id; those of the error codes beside. */
export const EVIDENCE: Readonly<Record<string, Evidence>> = {
  ...DIRECT_CALL,
  ...PEER_CONNECTION,
  ...FEATURES,
  ...WIRE,
};

/** `ERR-1800101`: the code was raised, by the library or the exchange. */
function evidenceFor(id: string): Evidence | undefined {
  const code = /^ERR-(\d{7})$/.exec(id)?.[1];
  return code === undefined ? EVIDENCE[id] : raised(Number(code));
}

/** What of the claims the trace shows. */
export function proveClaims(
  claims: readonly string[],
  trace: Trace,
  tolerance: Tolerance,
): { proven: string[]; unproven: string[] } {
  const shown = (id: string) => evidenceFor(id)?.(trace, tolerance) ?? false;
  return { proven: claims.filter(shown), unproven: claims.filter((id) => !shown(id)) };
}
