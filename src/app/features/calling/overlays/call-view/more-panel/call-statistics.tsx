import type { CallQuality } from '../../../../../../react/index.ts';
import { formatNumber } from '../../../../../core/i18n/format.ts';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { qualityWord } from '../parts/quality-chip.tsx';
import styles from './call-statistics.module.css';

/** The best score of {@link CallQuality.mos}. */
const BEST_MOS = 4.5;

/** Shows the measurements of the connection. */
export function CallStatistics({ quality }: { quality: CallQuality | null }) {
  return (
    <details className={styles.statistics}>
      <summary>{m.stats_title()}</summary>
      {quality === null ? (
        <p>{m.stats_none()}</p>
      ) : (
        <>
          <dl>
            <Row name={m.quality_label()} value={qualityWord(quality.band)} />
            <Row name={m.stats_mos()} value={known(quality.mos, (mos) => mos.toFixed(1))} />
            <Row name={m.stats_rtt()} value={known(quality.roundTripMs, milliseconds)} />
            <Row name={m.stats_jitter()} value={known(quality.jitterMs, milliseconds)} />
            <Row name={m.stats_loss()} value={known(quality.lossRate, (rate) => `${(rate * 100).toFixed(1)}%`)} />
          </dl>
          <span className={styles.history} aria-hidden="true">
            {quality.history.map((mos, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a bar is its place: the oldest is the first
              <span key={index} style={{ blockSize: `${((mos ?? 0) / BEST_MOS) * 100}%` }} />
            ))}
          </span>
        </>
      )}
    </details>
  );
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? m.stats_unknown() : format(value);
}

function milliseconds(value: number): string {
  return m.stats_ms({ value: formatNumber(Math.round(value)) });
}
