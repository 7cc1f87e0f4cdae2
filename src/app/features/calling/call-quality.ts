import type { CallQuality } from './call-state.ts';
import type { LibraryMetrics } from './calling-library.ts';

/** Two minutes, at one word every three seconds. */
const KEPT = 40;

/** What is known of the connection after another word of it. */
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
