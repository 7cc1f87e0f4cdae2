/**
 * The rollover counter of SRTP (RFC 3711 §3.3.1). werift counts a wrap only when at most 100 packets are lost around
 * it. After a longer loss no later packet of the source could be decrypted.
 */
import type { SrtpSession } from 'werift';
import { ahead } from './rtp.ts';

/** The count of a source. */
type SrtpSsrcState = Parameters<SrtpSession['localContext']['updateRolloverCount']>[1];

const CYCLE = 0x1_0000;

/** Makes a session count as the standard does. */
export function correctRollover(session: SrtpSession): SrtpSession {
  session.localContext.updateRolloverCount = followRollover;
  session.remoteContext.updateRolloverCount = followRollover;
  return session;
}

/** Moves a state to the index of a packet that is nearest to the last one. */
export function followRollover(sequence: number, state: SrtpSsrcState): void {
  const last = state.rolloverCounter * CYCLE + state.lastSequenceNumber;
  const isFirst = state.rolloverHasProcessed !== true;
  const index = isFirst ? sequence : last + ahead(sequence, state.lastSequenceNumber);
  state.rolloverHasProcessed = true;
  state.rolloverCounter = Math.max(0, Math.floor(index / CYCLE));
  state.lastSequenceNumber = sequence;
}
