import { audioMeasures } from './audio-measures.ts';
import type { CallStats } from './call-stats.ts';
import { audioMos } from './mos.ts';

/**
 * Estimates the mean opinion score of the audio since the sample before, from the loss of received audio, the jitter
 * that the remote client reports, and the round trip. Null while no audio arrives. With `awaitReports`, null before the
 * first report of the remote client. Otherwise the jitter measured here replaces a missing report.
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
