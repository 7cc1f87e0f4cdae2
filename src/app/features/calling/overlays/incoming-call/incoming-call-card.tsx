import { BellRing, Ellipsis, MessageCircleReply, Pause, Phone, PhoneOff, Video } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState, useEffectEvent } from 'react';
import type { IncomingCall } from '../../../../../react/index.ts';
import { displayName } from '../../call-state.ts';
import { m } from '../../../../core/i18n/generated/messages.js';
import { Picture } from '../../../../ui/people/picture.tsx';
import { useFocusReturn } from '../../../../../ui/layers/use-focus-return.ts';
import { useCalling } from '../../use-calling.ts';
import { useStore } from '../../../../../ui/store/use-store.ts';
import { isTyping } from '../is-typing.ts';
import { incomingQuoteText } from '../quote-text.ts';
import styles from './incoming-call-card.module.css';

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
  const { calling } = useCalling();
  const { quote, isCostKnown } = useCost();
  const name = useId();
  const kind = useId();
  const cost = useId();
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
          <KindLine id={kind} isVideo={isVideo} />
          {/* The line has its place before the cost is known, so that the buttons do not move. */}
          <span id={cost} className={styles.cost} aria-live={isCostKnown ? 'off' : 'polite'}>
            {quote}
          </span>
          {present === 'endable' && <small>{m.incoming_ends_current()}</small>}
        </span>
        <MoreButton isOpen={showsMore} onPress={() => setShowsMore((shown) => !shown)} />
      </span>
      {isSilent && <SoundChip />}
      {showsMore && <ReplyButton onReply={(text) => (decline(), onReply(text))} />}
      <Answers
        present={present}
        isVideo={isVideo}
        acceptButton={acceptButton}
        onDecline={decline}
        onEnd={() => calling.accept(call.callId, 'end')}
        onAccept={accept}
      />
      <Keys />
      <Announcement caller={caller} isVideo={isVideo} />
    </section>
  );
}

/**
 * Returns the text of the cost. A cost that is known at the start is part of the description of the card. A later cost
 * is announced as an update. So it is never announced twice.
 */
function useCost() {
  const { incomingQuote } = useCalling();
  const quote = incomingQuoteText(useStore(incomingQuote));
  const [isCostKnown] = useState(quote !== null && quote !== '');
  return { quote, isCostKnown };
}

function KindLine({ id, isVideo }: { id: string; isVideo: boolean }) {
  return (
    <span id={id}>
      {isVideo ? <Video aria-hidden="true" size={16} /> : <Phone aria-hidden="true" size={15} />}
      {isVideo ? m.incoming_video() : m.incoming_voice()}
    </span>
  );
}

/** Shows the keys of the buttons. The buttons announce them. */
function Keys() {
  return (
    <span className={styles.keys} aria-hidden="true">
      <kbd>Alt D</kbd>
      <kbd>Alt A</kbd>
    </span>
  );
}

function Announcement({ caller, isVideo }: { caller: string; isVideo: boolean }) {
  return (
    <span className="visually-hidden" aria-live="assertive">
      {isVideo ? m.incoming_announce_video({ name: caller }) : m.incoming_announce_voice({ name: caller })}
    </span>
  );
}

function MoreButton({ isOpen, onPress }: { isOpen: boolean; onPress(): void }) {
  return (
    <button
      type="button"
      className={styles.more}
      aria-label={m.incoming_more()}
      aria-expanded={isOpen}
      onClick={onPress}
    >
      <Ellipsis aria-hidden="true" />
    </button>
  );
}

/** Declines with a text that promises an answer later. */
function ReplyButton({ onReply }: { onReply(text: string): void }) {
  return (
    <button type="button" className={styles.reply} onClick={() => onReply(m.reply_later_text())}>
      <MessageCircleReply aria-hidden="true" size={18} />
      {m.reply_later()}
    </button>
  );
}

interface AnswersProps extends Pick<IncomingCallCardProps, 'present'> {
  isVideo: boolean;
  acceptButton: RefObject<HTMLButtonElement | null>;
  onDecline(): void;
  /** Ends the current call and accepts this one. */
  onEnd(): void;
  onAccept(): void;
}

/** Renders the answers to the call: decline and accept, and with a call that can be held also end and accept. */
function Answers({ present, isVideo, acceptButton, onDecline, onEnd, onAccept }: AnswersProps) {
  const isHolding = present === 'holdable';
  return (
    <span className={styles.actions} data-three={isHolding || undefined}>
      <button type="button" className={styles.decline} onClick={onDecline} aria-keyshortcuts="Alt+D">
        <PhoneOff aria-hidden="true" size={18} />
        {m.incoming_decline()}
      </button>
      {isHolding && (
        <button type="button" className={styles.end} onClick={onEnd}>
          {m.incoming_end_and_accept()}
        </button>
      )}
      <button ref={acceptButton} type="button" className={styles.accept} onClick={onAccept} aria-keyshortcuts="Alt+A">
        {isHolding ? <Pause aria-hidden="true" size={18} /> : <AcceptIcon isVideo={isVideo} />}
        {isHolding ? m.incoming_hold_and_accept() : m.incoming_accept()}
      </button>
    </span>
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

/**
 * Accepts the call on Alt+A and declines it on Alt+D, wherever the focus is. Uses the place of the key, since Alt
 * changes letters on some keyboards.
 */
function useCallShortcuts({ accept, decline }: { accept(): void; decline(): void }): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
    if (event.code === 'KeyA') accept();
    else if (event.code === 'KeyD') decline();
    else return;
    event.preventDefault();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKeyDown(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
