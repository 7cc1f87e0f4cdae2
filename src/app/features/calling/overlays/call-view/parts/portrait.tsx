import type { RefObject } from 'react';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../../ui/kit/picture.tsx';
import type { CallPhase } from '../call-view-model.ts';
import styles from './portrait.module.css';
import { Timer } from './timer.tsx';

interface PortraitProps {
  name: string;
  profileUrl: string;
  phase: CallPhase;
  small: boolean;
  note: string | null;
  /** Where their voice is shown; its `--level` is 0 to 1. */
  ring: RefObject<HTMLSpanElement | null>;
}

/** The other side while, or because, there is no picture of them. */
export function Portrait({ name, profileUrl, phase, small, note, ring }: PortraitProps) {
  return (
    <div className={styles.portrait} data-small={small || undefined}>
      <span ref={ring} className={styles.avatar} data-ringing={phase.name === 'outgoing' || undefined}>
        <Picture url={profileUrl} shape="round" eager />
      </span>
      <strong>{name}</strong>
      {phase.name === 'outgoing' && <p>{m.call_outgoing()}</p>}
      {phase.name === 'connecting' && <p>{m.call_connecting()}</p>}
      <Timer phase={phase} />
      {note !== null && <p>{note}</p>}
    </div>
  );
}
