import type { EndedEvent } from '../../exchange/calls/call-event.ts';

/** Of the end of a call, what a refund is decided by. */
export type RefundEvidence = Pick<EndedEvent, 'caller' | 'lost' | 'endedBySide'> & {
  readonly record: Pick<EndedEvent['record'], 'endResult'>;
};

/**
 * Whether the last minute of a call is to be given back because its connection was lost. What the man says proves nothing,
 * nor does his silence: he may have closed his page. It takes the woman's word while he is still there, or what the exchange
 * observed: she went first, both went together, or the exchange itself was away.
 */
export function isMinuteLost(man: string, { caller, lost, endedBySide, record }: RefundEvidence): boolean {
  if (record.endResult !== 'connection_lost') return false;
  const hers = caller === man ? 'callee' : 'caller';
  if (lost === null) return endedBySide === hers;
  return lost === hers || lost === 'both' || lost === 'exchange';
}
