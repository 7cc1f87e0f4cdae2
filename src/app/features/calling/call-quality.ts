import type { CallQuality } from './call-state.ts';
import type { LibraryMetrics } from './library/calling-library.ts';

/** The length of the history: two minutes, at one measurement every three seconds. */
const KEPT = 40;

/** Returns the quality of a connection after another measurement. */
export function nextQuality(before: CallQuality | null, metrics: LibraryMetrics): CallQuality {
  const mos = metrics.mos ?? null;
  return {
    band: metrics.state,
    mos,
    lossRate: metrics.packetsLostRate ?? null,
    roundTripMs: metrics.rtt ?? null,
    jitterMs: metrics.jitter ?? null,
    poorInARow: metrics.state === 'poor' ? (before?.poorInARow ?? 0) + 1 : 0,
    history: [...(before?.history ?? []), mos].slice(-KEPT),
  };
}
