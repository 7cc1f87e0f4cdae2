import { BellRing, Ellipsis, MessageCircleReply, Pause, Phone, PhoneOff, Video } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { type IncomingCall, displayName } from '../../call-state.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../ui/people/picture.tsx';
import { useFocusReturn } from '../../../../../ui/layers/use-focus-return.ts';
import { useCalling } from '../../use-calling.ts';
import { useStore } from '../../../../../ui/store/use-store.ts';
import { isTyping } from '../is-typing.ts';
import { incomingQuoteText } from '../quote-text.ts';
import styles from './incoming-call-card.module.css';
import { useCallShortcuts } from './use-call-shortcuts.ts';

interface IncomingCallCardProps {
  call: IncomingCall;
  /** What can be done with the current call. Null without one. */
  present: 'holdable' | 'endable' | null;
  /** True when the user was away when the call began to ring: the card then fills the screen of a phone. */
  fills: boolean;
  /** True when the browser blocks the ringtone until the user interacts with the page. */
  isSilent: boolean;
  /** Sends a text to the caller after the call is declined. */
  onReply(text: string): void;
}

/**
 * Shows an incoming call. It takes the focus unless the user is typing. Alt+A accepts and Alt+D declines in both cases.
 * Escape never declines, since the user may press it by reflex.
 */
export function IncomingCallCard({ call, present, fills, isSilent, onReply }: IncomingCallCardProps) {
  const { calling, incomingQuote } = useCalling();
  const quote = incomingQuoteText(useStore(incomingQuote));
  const name = useId();
  const kind = useId();
  const cost = useId();
  // A cost known at the start is part of the description. A later cost is announced as an update. It is never announced
  // twice.
  const [isCostKnown] = useState(quote !== null && quote !== '');
  const acceptButton = useRef<HTMLButtonElement>(null);
  const [showsMore, setShowsMore] = useState(false);
  const accept = (): void => calling.accept(call.callId, present === 'holdable' ? 'hold' : 'end');
  const decline = (): void => calling.decline(call.callId);
  useFocusReturn();
  useCallShortcuts({ accept, decline });
  useEffect(() => {
    if (!isTyping(document.activeElement)) acceptButton.current?.focus();
  }, []);

  const isVideo = call.kind === 'video';
  const caller = displayName(call.party);

  function reply(): void {
    decline();
    onReply(m.reply_later_text());
  }

  return (
    <section
      role="alertdialog"
      aria-labelledby={name}
      aria-describedby={isCostKnown ? `${kind} ${cost}` : kind}
      className={styles.card}
      data-fills={fills || undefined}
    >
      <span className={styles.who}>
        <span className={styles.avatar}>
          <Picture url={call.party.profileUrl} shape="round" eager />
        </span>
        <span className={styles.words}>
          <strong id={name}>{caller}</strong>
          <span id={kind}>
            {isVideo ? <Video aria-hidden="true" size={16} /> : <Phone aria-hidden="true" size={15} />}
            {isVideo ? m.incoming_video() : m.incoming_voice()}
          </span>
          {/* The line has its place before the cost is known, so that the buttons do not move. */}
          <span id={cost} className={styles.cost} aria-live={isCostKnown ? 'off' : 'polite'}>
            {quote}
          </span>
          {present === 'endable' && <small>{m.incoming_ends_current()}</small>}
        </span>
        <button
          type="button"
          className={styles.more}
          aria-label={m.incoming_more()}
          aria-expanded={showsMore}
          onClick={() => setShowsMore((shown) => !shown)}
        >
          <Ellipsis aria-hidden="true" />
        </button>
      </span>
      {isSilent && <SoundChip />}
      {showsMore && (
        <button type="button" className={styles.reply} onClick={reply}>
          <MessageCircleReply aria-hidden="true" size={18} />
          {m.reply_later()}
        </button>
      )}
      <span className={styles.actions} data-three={present === 'holdable' || undefined}>
        <button type="button" className={styles.decline} onClick={decline} aria-keyshortcuts="Alt+D">
          <PhoneOff aria-hidden="true" size={18} />
          {m.incoming_decline()}
        </button>
        {present === 'holdable' && (
          <button type="button" className={styles.end} onClick={() => calling.accept(call.callId, 'end')}>
            {m.incoming_end_and_accept()}
          </button>
        )}
        <button ref={acceptButton} type="button" className={styles.accept} onClick={accept} aria-keyshortcuts="Alt+A">
          {present === 'holdable' ? <Pause aria-hidden="true" size={18} /> : <AcceptIcon isVideo={isVideo} />}
          {present === 'holdable' ? m.incoming_hold_and_accept() : m.incoming_accept()}
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

function AcceptIcon({ isVideo }: { isVideo: boolean }) {
  return isVideo ? <Video aria-hidden="true" size={18} /> : <Phone aria-hidden="true" size={18} />;
}

/** Offers a press, which lets the browser play sound. The ringtone already plays, and is audible from then on. */
function SoundChip() {
  const [isOn, setIsOn] = useState(false);
  if (isOn) return null;
  return (
    <button type="button" className={styles.sound} onClick={() => setIsOn(true)}>
      <BellRing aria-hidden="true" size={16} />
      {m.ringtone_turn_on()}
    </button>
  );
}
