import type { RefObject } from 'react';
import { m } from '../../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../../ui/people/picture.tsx';
import type { CallPhase } from '../call-view-model.ts';
import styles from './portrait.module.css';
import { Timer } from './timer.tsx';

interface PortraitProps {
  name: string;
  profileUrl: string;
  phase: CallPhase;
  small: boolean;
  note: string | null;
  /** The element that shows the volume of the other user's voice by its `--level`, 0 to 1. */
  ring: RefObject<HTMLSpanElement | null>;
}

/** Shows the portrait of the other user when no remote picture is visible. */
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
