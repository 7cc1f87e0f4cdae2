import { BellOff, BellRing, Gift, Image, Mic, Phone, Pin, PinOff, Trash2, Video } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import type { Channel, Message } from '../../../../protocol/product/chat.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { Menu } from '../../../../ui/kit/menu.tsx';
import { useProductMutation } from '../../../core/hooks/use-product.ts';
import { useSession, useTicks } from '../../../core/hooks/areas.ts';
import { useUi } from '../../../ui/use-ui.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './channel-row.module.css';
import { chatPath } from './chat-path.ts';
import { messageSummary } from './message-summary.ts';
import { rowTime } from './times.ts';

const MOST_SHOWN = 99;

/** Renders one chat of the list: the other user, the last message and the number of unread messages. */
export function ChannelRow({ channel, isOpen }: { channel: Channel; isOpen: boolean }) {
  const { minutes } = useTicks();
  const { user } = useSession();
  const now = useStore(minutes);
  const { uId } = useStore(user.user);
  const { channel_url, companion, last_message: last, unread_count, pinned, muted } = channel;

  return (
    <li className={styles.item} data-unread={unread_count > 0 || undefined}>
      <Link to={chatPath(channel_url)} className={styles.row} aria-current={isOpen ? 'page' : undefined}>
        <Avatar url={companion.profile_url} presence={companion.presence} />
        <span className={styles.words}>
          <span className={styles.name}>
            <strong>{companion.nickname || companion.u_id}</strong>
            {pinned && <Pin size={14} role="img" aria-label={m.chat_pinned()} />}
            {muted && <BellOff size={14} role="img" aria-label={m.chat_muted()} />}
          </span>
          <span className={styles.last}>
            {last !== null && (
              <>
                <TypeIcon message={last} />
                <span>{messageSummary(last, uId)}</span>
              </>
            )}
          </span>
        </span>
        <span className={styles.end}>
          {last !== null && <time dateTime={new Date(last.at).toISOString()}>{rowTime(last.at, now)}</time>}
          {unread_count > 0 && <UnreadCount count={unread_count} muted={muted} />}
        </span>
      </Link>
      <ChannelMenu channel={channel} isOpen={isOpen} />
    </li>
  );
}

function UnreadCount({ count, muted }: { count: number; muted: boolean }) {
  return (
    <span className={styles.unread} data-muted={muted || undefined}>
      <span aria-hidden="true">
        {count > MOST_SHOWN ? m.nav_unread_many({ most: formatNumber(MOST_SHOWN) }) : formatNumber(count)}
      </span>
      <span className="visually-hidden">{m.nav_unread({ count })}</span>
    </span>
  );
}

/** Pins, mutes and deletes a chat. */
function ChannelMenu({ channel, isOpen }: { channel: Channel; isOpen: boolean }) {
  const { dialogs } = useUi();
  const navigate = useNavigate();
  const { mutate: change } = useProductMutation('changeChannel', { invalidates: ['channels'] });
  const { channel_url, companion, pinned, muted } = channel;
  const name = companion.nickname || companion.u_id;
  const params = { channel_url };

  async function remove(): Promise<void> {
    const agreed = await dialogs.confirm({
      title: m.chat_delete_title({ name }),
      text: m.chat_delete_text(),
      confirm: m.chat_delete(),
      isDangerous: true,
    });
    if (!agreed) return;
    change({ params, body: { cleared: true } });
    if (isOpen) void navigate('/man-chat-list', { replace: true });
  }

  return (
    <Menu
      label={m.chat_row_menu({ name })}
      items={[
        {
          key: 'pin',
          text: pinned ? m.chat_unpin() : m.chat_pin(),
          icon: pinned ? <PinOff aria-hidden="true" /> : <Pin aria-hidden="true" />,
          onChoose: () => change({ params, body: { pinned: !pinned } }),
        },
        {
          key: 'mute',
          text: muted ? m.chat_unmute() : m.chat_mute(),
          icon: muted ? <BellRing aria-hidden="true" /> : <BellOff aria-hidden="true" />,
          onChoose: () => change({ params, body: { muted: !muted } }),
        },
        {
          key: 'delete',
          text: m.chat_delete(),
          icon: <Trash2 aria-hidden="true" />,
          isDangerous: true,
          onChoose: () => void remove(),
        },
      ]}
    />
  );
}

function TypeIcon({ message }: { message: Message }) {
  switch (message.type) {
    case 'photo':
      return <Image aria-hidden="true" size={16} />;
    case 'voice':
      return <Mic aria-hidden="true" size={16} />;
    case 'gift':
      return <Gift aria-hidden="true" size={16} />;
    case 'call':
      return message.data.is_video_call ? (
        <Video aria-hidden="true" size={16} />
      ) : (
        <Phone aria-hidden="true" size={16} />
      );
    default:
      return null;
  }
}
