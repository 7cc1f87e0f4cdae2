import { Mic, SendHorizontal, Smile } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { type Channel, MESSAGE_CHARACTERS, type Companion } from '../../../../protocol/product/chat.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { IconButton } from '../../../../ui/kit/button.tsx';
import { useChat } from '../outbox.ts';
import { useIsPaid } from '../../money/wallet/use-is-paid.ts';
import styles from './composer.module.css';
import { GiftButton } from '../../gifts/gift-button.tsx';
import { PhotoButton } from './photo-button.tsx';
import type { Thread } from './thread.ts';
import { VoiceRecorder } from './voice-recorder.tsx';
import { formatNumber } from '../../../core/i18n/format.ts';
import { useRules } from '../../../core/hooks/use-product.ts';

/** The composer shows the number of remaining characters from this number on. */
const FEW_LEFT = 100;

/** Sends texts, photos and voice notes. */
export function Composer({ thread, channel }: { thread: Thread; channel: Channel }) {
  const { outbox } = useChat();
  const [text, setText] = useState('');
  const [panel, setPanel] = useState<'none' | 'emoji' | 'voice'>('none');
  const field = useRef<HTMLTextAreaElement>(null);
  const left = MESSAGE_CHARACTERS - text.length;
  const { companion } = channel;
  const name = companion.nickname || companion.u_id;

  function write(next: string): void {
    setText(next);
    thread.typing(next.trim() !== '');
  }

  function send(): void {
    const said = text.trim();
    if (said === '') return;
    outbox.put(channel.channel_url, { type: 'text', text: said });
    write('');
    setPanel('none');
    field.current?.focus();
  }

  if (panel === 'voice') return <VoicePanel channelUrl={channel.channel_url} onDone={() => setPanel('none')} />;
  return (
    <div className={styles.composer}>
      {panel === 'emoji' && (
        <EmojiPanel
          onChoose={(emoji) => {
            if (text.length + emoji.length <= MESSAGE_CHARACTERS) write(text + emoji);
          }}
        />
      )}
      <form className={styles.form} onSubmit={(event) => (event.preventDefault(), send())}>
        <Attachments
          channel={channel}
          isEmojiOpen={panel === 'emoji'}
          onEmoji={() => setPanel(panel === 'emoji' ? 'none' : 'emoji')}
        />
        <TextBox field={field} text={text} name={name} onWrite={write} onSend={send} />
        {text.trim() === '' ? (
          <IconButton
            label={m.chat_voice_record()}
            icon={<Mic aria-hidden="true" />}
            onClick={() => setPanel('voice')}
          />
        ) : (
          <SendButton />
        )}
      </form>
      <CostHint companion={companion} />
      {left <= FEW_LEFT && <Counter left={left} />}
    </div>
  );
}

interface AttachmentsProps {
  channel: Channel;
  isEmojiOpen: boolean;
  /** Shows or hides the emoji. */
  onEmoji(): void;
}

/** Renders the buttons of everything that is not text: a photo, emoji, a gift. */
function Attachments({ channel: { channel_url, companion }, isEmojiOpen, onEmoji }: AttachmentsProps) {
  const { outbox } = useChat();
  const mayGive = useIsPaid(companion);
  return (
    <>
      <PhotoButton
        onPhoto={(file) => outbox.put(channel_url, { type: 'photo', file, preview: URL.createObjectURL(file) })}
      />
      <IconButton
        label={m.chat_emoji()}
        icon={<Smile aria-hidden="true" />}
        aria-expanded={isEmojiOpen}
        onClick={onEmoji}
      />
      {mayGive && <GiftButton to={companion.u_id} name={companion.nickname || companion.u_id} />}
    </>
  );
}

interface TextBoxProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  /** The name of the other user. */
  name: string;
  onWrite(text: string): void;
  onSend(): void;
}

function TextBox({ field, text, name, onWrite, onSend }: TextBoxProps) {
  return (
    <textarea
      ref={field}
      rows={1}
      value={text}
      maxLength={MESSAGE_CHARACTERS}
      aria-label={m.chat_write_to({ name })}
      placeholder={m.chat_write()}
      enterKeyHint="send"
      className={styles.field}
      onChange={(event) => onWrite(event.target.value)}
      onKeyDown={(event) => {
        if (!sendsMessage(event)) return;
        event.preventDefault();
        onSend();
      }}
    />
  );
}

function SendButton() {
  return (
    <button type="submit" className={styles.send} aria-label={m.chat_send()} title={m.chat_send()}>
      <SendHorizontal aria-hidden="true" size={20} />
    </button>
  );
}

/** Announces the number of remaining characters. */
function Counter({ left }: { left: number }) {
  return (
    <p className={styles.hint} role="status">
      {m.field_counter_read({ left })}
    </p>
  );
}

/** Records a voice note and sends it. */
function VoicePanel({ channelUrl, onDone }: { channelUrl: string; onDone(): void }) {
  const { outbox } = useChat();
  return (
    <div className={styles.composer}>
      <VoiceRecorder
        onSend={(file, durationMs) => {
          outbox.put(channelUrl, { type: 'voice', file, durationMs, preview: URL.createObjectURL(file) });
          onDone();
        }}
        onCancel={onDone}
      />
    </div>
  );
}

/** Returns whether a key sends the message: Enter without Shift, on a keyboard of keys. */
function sendsMessage(event: KeyboardEvent): boolean {
  // During composition, Enter accepts a suggestion. Safari ends the composition before the key event, with key code
  // 229.
  const isComposing = event.nativeEvent.isComposing || event.keyCode === 229;
  return event.key === 'Enter' && !event.shiftKey && !isComposing && !isTouchKeyboard();
}

/** Returns true for a touch keyboard. Its Enter key begins a new line, and a button sends. */
const isTouchKeyboard = (): boolean => matchMedia('(pointer: coarse) and (hover: none)').matches;

/** Shows what a message to this user costs a man. Renders nothing for a free chat. */
function CostHint({ companion }: { companion: Companion }) {
  const isPaid = useIsPaid(companion);
  const rules = useRules(isPaid);
  if (!isPaid || !rules?.billing) return null;
  const { text, photo, free } = rules.messages;
  return (
    <p className={styles.cost}>
      {m.chat_cost({ text: formatNumber(text), other: formatNumber(photo), free: formatNumber(free) })}
    </p>
  );
}

const EMOJI = '😀 😄 😂 🥹 😊 😍 😘 🥰 😎 🤔 😴 😭 😡 👍 👏 🙏 💪 👋 🌹 🎁 🎉 ☕ 🌙 💖'.split(' ');

/** Offers a few emoji, for keyboards without them. */
function EmojiPanel({ onChoose }: { onChoose(emoji: string): void }) {
  return (
    <div role="group" aria-label={m.chat_emoji()} className={styles.panel}>
      {EMOJI.map((emoji) => (
        <button key={emoji} type="button" onClick={() => onChoose(emoji)}>
          {emoji}
        </button>
      ))}
    </div>
  );
}
