import { useProductQuery } from '../../../core/hooks/use-product.ts';
import { useIsPaid } from '../../money/wallet/use-is-paid.ts';
import { ArrowLeft, PanelRight, Phone, Video } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { CallKind } from '../../../../protocol/product/calls.ts';
import type { Companion } from '../../../../protocol/product/chat.ts';
import { formatNumber } from '../../../core/i18n/format.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { IconButton } from '../../../../ui/kit/button.tsx';
import { presenceText } from '../../../ui/people/presence-chip.tsx';
import { useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './thread-header.module.css';
import { useDial } from './use-dial.ts';

interface ThreadHeaderProps {
  companion: Companion;
  isTyping: boolean;
  showsProfile: boolean;
  onProfile(): void;
}

/** Shows the other user with the presence, and the call buttons with the price of a minute. */
export function ThreadHeader({ companion, isTyping, showsProfile, onProfile }: ThreadHeaderProps) {
  const now = useStore(useTicks().minutes);
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
        <CallButton kind="voice" companion={companion} onDial={dial} />
        {companion.accepts_video && <CallButton kind="video" companion={companion} onDial={dial} />}
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

const CALLS = {
  voice: { Icon: Phone, label: m.chat_call_voice, priced: m.chat_call_voice_for },
  video: { Icon: Video, label: m.chat_call_video, priced: m.chat_call_video_for },
} as const;

interface CallButtonProps {
  kind: CallKind;
  companion: Companion;
  onDial(kind: CallKind): void;
}

function CallButton({ kind, companion, onDial }: CallButtonProps) {
  const { Icon, label, priced } = CALLS[kind];
  const rate = useCallRate(companion, kind);
  const name = companion.nickname || companion.u_id;
  const price = formatNumber(rate);
  return (
    <IconButton
      label={rate > 0 ? priced({ name, price }) : label({ name })}
      className={styles.call ?? ''}
      icon={
        <>
          <Icon aria-hidden="true" />
          {rate > 0 && <span aria-hidden="true">{m.price_unit({ price })}</span>}
        </>
      }
      onClick={() => onDial(kind)}
    />
  );
}

/**
 * Returns the quoted price of a call to the other user in coins a minute. Returns 0 for a free call and without a
 * quote.
 */
function useCallRate(companion: Companion, kind: CallKind): number {
  const isPaid = useIsPaid(companion);
  const { data } = useProductQuery('quoteCall', { body: { callee: companion.u_id, kind } }, { enabled: isPaid });
  return isPaid ? (data?.rate ?? 0) : 0;
}
