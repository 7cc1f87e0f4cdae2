import { RotateCcw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../i18n/format.ts';
import { m } from '../../i18n/generated/messages.js';
import type { CallPhase } from './call-view-model.ts';
import styles from './ended-summary.module.css';
import { resultHint, resultTitle } from './result-text.ts';

interface EndedSummaryProps {
  phase: Extract<CallPhase, { name: 'ended' }>;
  onRedial(): void;
  onClose(): void;
}

/** How it went, and calling again. A number of an error is for those who ask for details. */
export function EndedSummary({ phase, onRedial, onClose }: EndedSummaryProps) {
  const close = useRef<HTMLButtonElement>(null);
  const hint = resultHint(phase.result);
  useEffect(() => close.current?.focus(), []);

  return (
    <div className={styles.summary}>
      <h2>{resultTitle(phase.result, phase.byCaller)}</h2>
      {phase.seconds > 0 && <p>{m.ended_duration({ duration: formatDuration(phase.seconds) })}</p>}
      {hint !== null && <p>{hint}</p>}
      {phase.errorCode !== null && <Details code={phase.errorCode} />}
      <div className={styles.actions}>
        <button ref={close} type="button" onClick={onClose}>
          {m.ended_close()}
        </button>
        <button type="button" className={styles.redial} onClick={onRedial}>
          <RotateCcw aria-hidden="true" size={18} />
          {m.ended_redial()}
        </button>
      </div>
    </div>
  );
}

function Details({ code }: { code: number }) {
  const [copied, setCopied] = useState(false);
  return (
    <details className={styles.details}>
      <summary>{m.ended_details()}</summary>
      <span>{m.ended_code({ code })}</span>
      <button
        type="button"
        onClick={() => {
          void navigator.clipboard.writeText(String(code)).then(() => setCopied(true));
        }}
      >
        {copied ? m.ended_copied() : m.ended_copy()}
      </button>
    </details>
  );
}
