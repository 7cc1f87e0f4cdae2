/** The text of an ICE candidate (RFC 8839 §5.1), as far as the path proxy needs it. */

export interface CandidateAddress {
  readonly protocol: string;
  readonly address: string;
  readonly port: number;
}

/** `candidate:` foundation component transport priority address port "typ" type ... */
const FORM = /^((?:a=)?candidate:\S+ \d+ )(\S+)( \d+ )(\S+) (\d+)( typ .*)$/i;

/** Parses the address of a candidate. Null for text that is no candidate. */
export function parseCandidate(candidate: string): CandidateAddress | null {
  const parts = FORM.exec(candidate);
  if (!parts) return null;
  const port = Number(parts[5]);
  // Sending to port 0 throws.
  if (port < 1 || port > 65_535) return null;
  return { protocol: (parts[2] as string).toLowerCase(), address: parts[4] as string, port };
}

/** Returns the candidate with another address. Removes the related address, since it would reveal the real one. */
export function redirectCandidate(candidate: string, address: string, port: number): string {
  return candidate
    .replace(FORM, (_all, head, protocol, priority, _address, _port, tail) => {
      return `${head}${protocol}${priority}${address} ${port}${tail}`;
    })
    .replace(/ raddr \S+ rport \d+/i, ` raddr ${address.includes(':') ? '::' : '0.0.0.0'} rport 0`);
}

/** Removes the candidates of a session description. They are sent one by one, and can be rewritten then. */
export function stripCandidates(sdp: string): string {
  return sdp.replace(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gm, '');
}
