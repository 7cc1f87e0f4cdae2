import { audioMeasures } from './audio-measures.ts';
import type { CallStats } from './call-stats.ts';
import { audioMos } from './mos.ts';

/**
 * The audio's mean opinion score over the time since the sample before: the loss of what is heard here, the jitter the
 * other side reports, and the round trip. Null while no audio arrives, and, with `awaitReports`, until the other side has
 * reported; without it, what is measured here stands in for its report.
 */
export function estimateMos(
  stats: Pick<CallStats, 'audio' | 'transport'>,
  { awaitReports }: { readonly awaitReports: boolean },
): number | null {
  const { packetLoss, jitter, roundTripTime } = audioMeasures(stats);
  if (packetLoss === null) return null;
  const hasReport = (stats.audio.sent?.reported?.roundTripTime ?? null) !== null;
  if (awaitReports && !hasReport) return null;
  return audioMos({ packetLoss, remoteJitter: jitter ?? 0, roundTripTime: roundTripTime ?? 0 });
}
