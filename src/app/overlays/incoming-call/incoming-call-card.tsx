import { Phone, PhoneOff, Video } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { IncomingCall } from '../../calling/call-state.ts';
import { m } from '../../i18n/generated/messages.js';
import { Picture } from '../../kit/picture.tsx';
import { useFocusReturn } from '../../layers/use-focus-return.ts';
import { useServices } from '../../services/services-context.ts';
import { displayName } from '../call-view/call-view-model.ts';
import styles from './incoming-call-card.module.css';
import { useCallShortcuts } from './use-call-shortcuts.ts';

interface IncomingCallCardProps {
  call: IncomingCall;
  /** Somebody is on the line already, and would be hung up on. */
  endsCurrent: boolean;
}

/**
 * Somebody is calling. It takes the focus unless somebody is typing: then it only says so, and Alt+A and Alt+D answer.
 * Escape never declines: a reflex should not turn anybody away.
 */
export function IncomingCallCard({ call, endsCurrent }: IncomingCallCardProps) {
  const { calling } = useServices();
  const name = useId();
  const kind = useId();
  const acceptButton = useRef<HTMLButtonElement>(null);
  const accept = (): void => calling.accept(call.callId);
  const decline = (): void => calling.decline(call.callId);
  useFocusReturn();
  useCallShortcuts({ accept, decline });
  useEffect(() => {
    if (!isTyping(document.activeElement)) acceptButton.current?.focus();
  }, []);

  const isVideo = call.kind === 'video';
  const caller = displayName(call.party);
  return (
    <section role="alertdialog" aria-labelledby={name} aria-describedby={kind} className={styles.card}>
      <span className={styles.avatar}>
        <Picture url={call.party.profileUrl} shape="round" eager />
      </span>
      <span className={styles.words}>
        <strong id={name}>{caller}</strong>
        <span id={kind}>
          {isVideo ? <Video aria-hidden="true" size={16} /> : <Phone aria-hidden="true" size={15} />}
          {isVideo ? m.incoming_video() : m.incoming_voice()}
        </span>
        {endsCurrent && <small>{m.incoming_ends_current()}</small>}
      </span>
      <span className={styles.actions}>
        <button type="button" className={styles.decline} onClick={decline} aria-keyshortcuts="Alt+D">
          <PhoneOff aria-hidden="true" size={18} />
          {m.incoming_decline()}
        </button>
        <button ref={acceptButton} type="button" className={styles.accept} onClick={accept} aria-keyshortcuts="Alt+A">
          {isVideo ? <Video aria-hidden="true" size={18} /> : <Phone aria-hidden="true" size={18} />}
          {m.incoming_accept()}
        </button>
      </span>
      <span className={styles.keys} aria-hidden="true">
        <kbd>Alt D</kbd>
        <kbd>Alt A</kbd>
      </span>
      <span className="visually-hidden" aria-live="assertive">
        {isVideo ? m.incoming_announce_video({ name: caller }) : m.incoming_announce_voice({ name: caller })}
      </span>
    </section>
  );
}

function isTyping(element: Element | null): boolean {
  return (
    element instanceof HTMLElement &&
    (element.isContentEditable ||
      element.matches('textarea, select, input:not([type=radio], [type=checkbox], [type=button])'))
  );
}
