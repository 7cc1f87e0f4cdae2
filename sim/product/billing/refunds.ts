import type { EndedEvent } from '../../exchange/calls/call-event.ts';

/** The facts at the end of a call that decide a refund. */
export type RefundEvidence = Pick<EndedEvent, 'caller' | 'lost' | 'endedBySide'> & {
  readonly record: Pick<EndedEvent['record'], 'endResult'>;
};

/**
 * Returns whether the last minute of a call is to be refunded because its connection was lost. The man's reports prove
 * nothing, nor does his silence, since he may have closed his page. Evidence is the woman's report while he is still
 * connected, or an observation of the exchange: she left first, both left together, or the exchange was down.
 */
export function isMinuteLost(man: string, { caller, lost, endedBySide, record }: RefundEvidence): boolean {
  if (record.endResult !== 'connection_lost') return false;
  const hers = caller === man ? 'callee' : 'caller';
  if (lost === null) return endedBySide === hers;
  return lost === hers || lost === 'both' || lost === 'exchange';
}
