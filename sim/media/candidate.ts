/** The text of an ICE candidate (RFC 8839, section 5.1), as far as the path proxy needs it. */

export interface CandidateAddress {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

/** `candidate:` foundation component transport priority address port "typ" type ... */
const FORM = /^((?:a=)?candidate:\S+ \d+ )(\S+)( \d+ )(\S+) (\d+)( typ .*)$/i;

/** Where a candidate points; null when the text is no candidate. */
export function parseCandidate(candidate: string): CandidateAddress | null {
  const parts = FORM.exec(candidate);
  if (!parts) return null;
  const port = Number(parts[5]);
  // Nothing can be sent to port 0, and trying throws.
  if (port < 1 || port > 65_535) return null;
  return { protocol: (parts[2] as string).toLowerCase(), address: parts[4] as string, port };
}

/** The same candidate, pointing elsewhere. The related address, where there is one, would betray the real one: it goes. */
export function redirectCandidate(candidate: string, address: string, port: number): string {
  return candidate
    .replace(FORM, (_all, head, protocol, priority, _address, _port, tail) => {
      return `${head}${protocol}${priority}${address} ${port}${tail}`;
    })
    .replace(/ raddr \S+ rport \d+/i, ` raddr ${address.includes(':') ? '::' : '0.0.0.0'} rport 0`);
}

/** A session description without its candidates: they travel one by one, where they can be rewritten. */
export function stripCandidates(sdp: string): string {
  return sdp.replace(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gm, '');
}
