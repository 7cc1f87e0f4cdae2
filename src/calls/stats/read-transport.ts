import type { TransportStats } from './call-stats.ts';
import type { StatsEntries, StatsEntry } from './stats-report.ts';

/** Returns the path of media: the candidate pair in use. */
export function readTransport(entries: StatsEntries): TransportStats {
  const pair = selectedPair(entries);
  const local = entries.byId(pair?.text('localCandidateId') ?? null);
  const remote = entries.byId(pair?.text('remoteCandidateId') ?? null);
  return {
    networkType: local?.text('networkType') ?? null,
    protocol: local?.text('protocol') ?? null,
    candidateType: local?.text('candidateType') ?? null,
    remoteCandidateType: remote?.text('candidateType') ?? null,
    relayProtocol: local?.text('relayProtocol') ?? null,
    roundTripTime: pair?.ms('currentRoundTripTime') ?? null,
  };
}

function selectedPair(entries: StatsEntries): StatsEntry | null {
  const transport = entries.find('transport', (entry) => entry.text('selectedCandidatePairId') !== null);
  return (
    entries.byId(transport?.text('selectedCandidatePairId') ?? null) ??
    entries.find('candidate-pair', (entry) => entry.is('nominated', true) && entry.is('state', 'succeeded'))
  );
}
