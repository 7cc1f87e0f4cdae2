import { QUALITY_BANDS } from '../../protocol/limits.ts';
import type { ConnectionQualityState } from '../host/public-enumerations.ts';

/** Returns the quality of a mean opinion score. Null is `unavailable`. */
export function qualityOf(mos: number | null): ConnectionQualityState {
  if (mos === null || Number.isNaN(mos)) return 'unavailable';
  return QUALITY_BANDS.find(({ below }) => mos < below)?.quality ?? 'excellent';
}
