import type { Presence } from '../../../protocol/product/values.ts';
import { m } from '../../core/i18n/generated/messages.js';
import styles from './avatar.module.css';
import { Picture } from './picture.tsx';

interface AvatarProps {
  url: string;
  size?: 40 | 52 | 88;
  presence?: Presence;
}

const names: Record<Presence, () => string> = {
  online: m.presence_online,
  in_call: m.presence_in_call,
  offline: m.presence_offline,
};

/** Shows the round picture of a user with the presence. The name is always written beside it. */
export function Avatar({ url, size = 52, presence }: AvatarProps) {
  return (
    <span className={styles.avatar} style={{ inlineSize: size }}>
      <Picture url={url} shape="round" />
      {presence !== undefined && presence !== 'offline' && <span className={styles.dot} data-presence={presence} />}
      {presence !== undefined && <span className="visually-hidden">{names[presence]()}</span>}
    </span>
  );
}
