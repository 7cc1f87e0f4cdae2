import { Pause, Play } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { resting } from '../../../../../../ui/kit/resting.ts';
import styles from './hold-scrim.module.css';

interface HoldScrimProps {
  by: 'here' | 'there' | 'both';
  name: string;
  busy: boolean;
  onResume(): void;
}

/** Covers a call on hold, and names the user who holds it. Shows the resume button if this user holds the call. */
export function HoldScrim({ by, name, busy, onResume }: HoldScrimProps) {
  const resume = useRef<HTMLButtonElement>(null);
  const canResume = by !== 'there';
  useEffect(() => {
    if (canResume) resume.current?.focus({ preventScroll: true });
  }, [canResume]);

  return (
    <div className={styles.scrim}>
      <span className={styles.icon} aria-hidden="true">
        <Pause />
      </span>
      <h2>{m.hold_title()}</h2>
      <p>{text(by, name)}</p>
      {canResume && (
        <button ref={resume} type="button" {...resting(busy, onResume)}>
          <Play aria-hidden="true" size={18} />
          {m.hold_resume()}
        </button>
      )}
    </div>
  );
}

function text(by: HoldScrimProps['by'], name: string): string {
  switch (by) {
    case 'here':
      return m.hold_by_me();
    case 'there':
      return m.hold_by_them({ name });
    case 'both':
      return m.hold_by_both({ name });
    default:
      return by satisfies never;
  }
}
