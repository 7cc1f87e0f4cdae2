import { Phone, PhoneMissed, Video } from 'lucide-react';
import type { Companion, Message } from '../../../../protocol/product/chat.ts';
import type { Unsent } from '../unsent.ts';
import { giftLook } from '../../gifts/gift-look.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { linkParts } from './link-parts.ts';
import styles from './message-body.module.css';
import { callText, systemText } from './message-summary.ts';
import { PhotoMessage } from './photo-message.tsx';
import { useDial } from './use-dial.ts';
import { VoiceNote } from './voice-note.tsx';

interface MessageBodyProps {
  message: Message;
  isMine: boolean;
  companion: Companion;
}

/** Renders the content of a message by its type. */
export function MessageBody({ message, isMine, companion }: MessageBodyProps) {
  switch (message.type) {
    case 'text':
      return <Text text={message.data.text} />;
    case 'photo':
      return <PhotoMessage {...message.data} />;
    case 'voice':
      return <VoiceNote url={message.data.url} durationMs={message.data.duration_ms} />;
    case 'gift': {
      const { quantity, coins } = message.data;
      const { Icon, name } = giftLook(message.data);
      return (
        <span className={styles.gift}>
          <Icon aria-hidden="true" size={30} />
          <span>
            <strong>{m.chat_gift({ name, quantity: formatNumber(quantity) })}</strong>
            <small>{m.coins_amount({ amount: formatNumber(coins) })}</small>
          </span>
        </span>
      );
    }
    case 'call':
      return <CallBubble call={message.data} isMine={isMine} companion={companion} />;
    case 'system':
      return systemText(message.data.code);
    default:
      return message satisfies never;
  }
}

/** Renders the content of an unsent message. */
export function UnsentBody({ unsent: { said } }: { unsent: Unsent }) {
  switch (said.type) {
    case 'text':
      return <Text text={said.text} />;
    case 'photo':
      return <PhotoMessage url={said.preview} width={0} height={0} />;
    case 'voice':
      return <VoiceNote url={said.preview} durationMs={said.durationMs} />;
    default:
      return said satisfies never;
  }
}

/** Renders a text with its links. A link sends no referrer and gives the other site no access to this page. */
function Text({ text }: { text: string }) {
  return (
    <span className={styles.text}>
      {linkParts(text).map(({ text: part, href }, at) =>
        href === null ? (
          part
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of a text never change
          <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {part}
          </a>
        ),
      )}
    </span>
  );
}

type Call = Extract<Message, { type: 'call' }>['data'];

function CallBubble({ call, isMine, companion }: { call: Call; isMine: boolean; companion: Companion }) {
  const dial = useDial(companion);
  const isMissed = !isMine && (call.end_result === 'no_answer' || call.end_result === 'canceled');
  const Icon = isMissed ? PhoneMissed : call.is_video_call ? Video : Phone;
  return (
    <span className={styles.call} data-missed={isMissed || undefined}>
      <Icon aria-hidden="true" size={22} />
      <span>
        <strong>{call.is_video_call ? m.chat_call_kind_video() : m.chat_call_kind_voice()}</strong>
        <small>{callText(call, isMine)}</small>
      </span>
      <button type="button" onClick={() => dial(call.is_video_call ? 'video' : 'voice')}>
        {isMine ? m.chat_call_again() : m.chat_call_back()}
      </button>
    </span>
  );
}
