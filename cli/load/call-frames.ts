/** The commands of a video call with descriptions of real browsers and without media, as the library sends them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packSdp } from '../../src/protocol/sdp-codec.ts';
import { packageRoot } from '../package-root.ts';

/** The candidates that each side sends. */
export const CANDIDATES = 5;

/** The media that a dial and an accept announce. */
export const MEDIA = { constraints: { audio: true, video: true }, capabilities: ['turn_changed'] };

/** A report of connected media. */
export const CONNECTION = {
  connection: { connection_type: 'host', relay_protocol: null, protocol: 'udp' },
  reconnect: false,
};

const packed = new Map<string, string>();

/** Returns an offer or an answer, packed for the wire. */
export function sdpOf(kind: 'offer' | 'answer'): string {
  const known = packed.get(kind);
  if (known !== undefined) return known;
  const sdp = packSdp(readFileSync(join(packageRoot(), 'fixtures', 'wire', `${kind}.sdp`), 'utf8'));
  packed.set(kind, sdp);
  return sdp;
}

/** Returns the candidate with this number. */
export const candidateOf = (at: number) => ({
  candidate: {
    sdp: `candidate:84216304${at} 1 udp 1677729535 192.0.2.17 4615${at} typ srflx raddr 10.0.0.17 rport 4615${at} generation 0 ufrag Jx7Z network-cost 999`,
    sdp_mline_index: 0,
    sdp_mid: '0',
  },
  peer_connection_id: '6c0f4a5e-7b7b-4c0b-9a57-92f41c8e7a10',
});
