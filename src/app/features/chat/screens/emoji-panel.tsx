import { m } from '../../../core/i18n/generated/messages.js';
import styles from './emoji-panel.module.css';

const EMOJI = '😀 😄 😂 🥹 😊 😍 😘 🥰 😎 🤔 😴 😭 😡 👍 👏 🙏 💪 👋 🌹 🎁 🎉 ☕ 🌙 💖'.split(' ');

/** Offers a few emoji, for keyboards without them. */
export function EmojiPanel({ onChoose }: { onChoose(emoji: string): void }) {
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
