import { BadgeCheck, MapPin, Phone, Video } from 'lucide-react';
import type { Companion } from '../../../../protocol/product/chat.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Button } from '../../../../ui/kit/button.tsx';
import { Picture } from '../../../ui/people/picture.tsx';
import { PresenceChip } from '../../../ui/people/presence-chip.tsx';
import { useTicks } from '../../../core/hooks/areas.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './profile-aside.module.css';
import { useDial } from './use-dial.ts';

/** Shows the profile of the other user beside the chat, on a wide page. */
export function ProfileAside({ companion }: { companion: Companion }) {
  const now = useStore(useTicks().minutes);
  const dial = useDial(companion);
  const name = companion.nickname || companion.u_id;
  return (
    <aside className={styles.aside} aria-label={m.chat_profile()}>
      <div className={styles.photo}>
        <Picture url={companion.profile_url} shape="portrait" />
        <span className={styles.presence}>
          <PresenceChip of={companion} now={now} />
        </span>
      </div>
      <h2>{name}</h2>
      <ul className={styles.facts}>
        {companion.city !== '' && (
          <li>
            <MapPin aria-hidden="true" size={18} />
            {companion.city}
          </li>
        )}
        {companion.verified && (
          <li>
            <BadgeCheck aria-hidden="true" size={18} />
            {m.person_verified()}
          </li>
        )}
      </ul>
      <Button onClick={() => dial('voice')}>
        <Phone aria-hidden="true" />
        {m.person_voice()}
      </Button>
      {companion.accepts_video && (
        <Button look="primary" onClick={() => dial('video')}>
          <Video aria-hidden="true" />
          {m.person_video()}
        </Button>
      )}
    </aside>
  );
}
