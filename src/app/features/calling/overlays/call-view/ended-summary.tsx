import { Coins, RotateCcw, Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { BillView } from '../../call-billing.ts';
import { formatDuration, formatNumber } from '../../../../core/i18n/format.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import type { CallExtra, CallPhase } from './call-view-model.ts';
import styles from './ended-summary.module.css';
import { extraFace } from './parts/extra-face.tsx';
import { RateCall } from './parts/rate-call.tsx';
import { resultTitle } from './result-text.ts';

interface EndedSummaryProps {
  phase: Extract<CallPhase, { name: 'ended' }>;
  /** What the user can do about the result. Null without advice. */
  hint: string | null;
  /** The cost or income of the call. Null without a bill of the server. */
  bill: BillView | null;
  onRedial(): void;
  /** The id of the call to rate. Null when it cannot be rated. */
  rates: string | null;
  /** The actions about the other user. */
  extras: readonly CallExtra[];
  onExtra(name: CallExtra['name']): void;
  onClose(): void;
}

/** Shows the result of a call and the button that calls again. The number of an error is in the details. */
export function EndedSummary({ phase, hint, bill, rates, extras, onExtra, onRedial, onClose }: EndedSummaryProps) {
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);

  return (
    <div className={styles.summary}>
      <h2>{resultTitle(phase.result, phase.byCaller)}</h2>
      {phase.seconds > 0 && <p>{m.ended_duration({ duration: formatDuration(phase.seconds) })}</p>}
      {bill !== null && <Money bill={bill} />}
      {hint !== null && <p>{hint}</p>}
      {phase.errorCode !== null && <Details code={phase.errorCode} />}
      {rates !== null && <RateCall callId={rates} />}
      {extras.length > 0 && (
        <div className={styles.extras}>
          {extras.map((extra) => {
            const { text, icon } = extraFace(extra);
            return (
              <button key={extra.name} type="button" onClick={() => onExtra(extra.name)}>
                <span aria-hidden="true">{icon}</span>
                {text}
              </button>
            );
          })}
        </div>
      )}
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

function Money({ bill }: { bill: BillView }) {
  return (
    <p className={styles.money}>
      {bill.kind === 'pays' ? <Coins aria-hidden="true" size={16} /> : <Sparkles aria-hidden="true" size={16} />}
      {bill.kind === 'earns' && m.ended_points({ points: formatNumber(bill.points) })}
      {bill.kind === 'pays' && (bill.spent > 0 ? m.ended_coins({ coins: formatNumber(bill.spent) }) : m.ended_free())}
    </p>
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
