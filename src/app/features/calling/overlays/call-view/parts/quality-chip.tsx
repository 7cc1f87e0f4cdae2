import type { QualityBand } from '../../../../../../react/index.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import styles from './quality-chip.module.css';

const WORDS: Record<QualityBand, () => string> = {
  unavailable: m.quality_unavailable,
  poor: m.quality_poor,
  fair: m.quality_fair,
  average: m.quality_average,
  good: m.quality_good,
  excellent: m.quality_excellent,
};

/** Shows the quality as bars and a word, so that it does not depend on the colour alone. */
export function QualityChip({ band, bars }: { band: QualityBand; bars: number }) {
  return (
    <span className={styles.chip} data-band={band}>
      <span className={styles.bars} aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <span key={bar} data-on={bar <= bars || undefined} />
        ))}
      </span>
      <span className="visually-hidden">{m.quality_label()}</span>
      {WORDS[band]()}
    </span>
  );
}

/** Returns the word for a quality. */
export function qualityWord(band: QualityBand): string {
  return WORDS[band]();
}
