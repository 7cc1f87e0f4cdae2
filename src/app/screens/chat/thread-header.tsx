import { ArrowLeft, PanelRight, Phone, Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Companion } from '../../../protocol/product/chat.ts';
import { m } from '../../i18n/generated/messages.js';
import { Avatar } from '../../kit/avatar.tsx';
import { IconButton } from '../../kit/button.tsx';
import { presenceText } from '../../kit/presence-chip.tsx';
import { useServices } from '../../services/services-context.ts';
import { useStore } from '../../store/use-store.ts';
import styles from './thread-header.module.css';
import { useDial } from './use-dial.ts';

interface ThreadHeaderProps {
  companion: Companion;
  isTyping: boolean;
  showsProfile: boolean;
  onProfile(): void;
}

/** Who it is with, whether they are there, and the ways to call them. */
export function ThreadHeader({ companion, isTyping, showsProfile, onProfile }: ThreadHeaderProps) {
  const now = useStore(useServices().minutes);
  const dial = useDial(companion);
  const name = companion.nickname || companion.u_id;
  return (
    <header className={styles.head}>
      <Link to="/man-chat-list" className={styles.back} aria-label={m.chat_back_to_list()}>
        <ArrowLeft aria-hidden="true" />
      </Link>
      <Avatar url={companion.profile_url} size={40} />
      <div className={styles.words}>
        <h1>{name}</h1>
        <p role="status" data-presence={companion.presence}>
          {isTyping ? m.chat_typing() : presenceText(companion, now)}
        </p>
      </div>
      <div className={styles.actions}>
        <IconButton
          label={m.chat_call_voice({ name })}
          icon={<Phone aria-hidden="true" />}
          onClick={() => dial('voice')}
        />
        {companion.accepts_video && (
          <IconButton
            label={m.chat_call_video({ name })}
            icon={<Video aria-hidden="true" />}
            onClick={() => dial('video')}
          />
        )}
        <IconButton
          className={styles.profile ?? ''}
          label={m.chat_profile()}
          aria-expanded={showsProfile}
          icon={<PanelRight aria-hidden="true" />}
          onClick={onProfile}
        />
      </div>
    </header>
  );
}
