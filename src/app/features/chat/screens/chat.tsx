import { MessagesSquare } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { m } from '../../../core/i18n/generated/messages.js';
import { StateCard } from '../../../../ui/kit/state-card.tsx';
import { ChannelListPane } from './channel-list-pane.tsx';
import styles from './chat.module.css';
import { ThreadPane } from './thread-pane.tsx';
import { useLiveChannels } from './use-live-channels.ts';

/**
 * Shows the chats of a user and the open chat. A phone shows one of them, a wide page shows both (SCR-23 to SCR-25).
 */
export default function Chat() {
  const { channelUrl } = useParams();
  useLiveChannels();
  return (
    <div className={styles.chat} data-open={channelUrl !== undefined || undefined}>
      <ChannelListPane openChannel={channelUrl ?? null} />
      {channelUrl === undefined ? (
        <div className={styles.nothingOpen}>
          <StateCard icon={<MessagesSquare />} title={m.chat_none_open()} hint={m.chat_none_open_hint()} />
        </div>
      ) : (
        <ThreadPane key={channelUrl} channelUrl={channelUrl} />
      )}
    </div>
  );
}
