import { useNavigate } from 'react-router-dom';
import type { Person } from '../../../../protocol/product/people.ts';
import { m } from '../../../core/i18n/generated/messages.js';
import { Avatar } from '../../../ui/people/avatar.tsx';
import { LinkButton } from '../../../../ui/kit/button.tsx';
import { useLivePresence } from '../../people/live-presence.ts';
import { useProductMutation, useProductPages } from '../../../core/hooks/use-product.ts';
import { useSession } from '../../../core/hooks/areas.ts';
import { homePath } from '../../../core/session/home-path.ts';
import { useStore } from '../../../../ui/store/use-store.ts';
import styles from './channel-list-pane.module.css';
import { chatPath } from './chat-path.ts';

const SUGGESTED = '3';

/** Suggests a few users for a first chat. */
export function Suggestions() {
  useLivePresence();
  const { user } = useSession();
  const { genderType } = useStore(user.user);
  const navigate = useNavigate();
  const { mutate: open, isPending } = useProductMutation('openChannel', {
    onSuccess: ({ channel_url }) => void navigate(chatPath(channel_url)),
  });
  const { data: others = [] } = useProductPages('discover', { query: { limit: SUGGESTED } });

  return (
    <>
      <ul className={styles.suggestions}>
        {others.map((person: Person) => (
          <li key={person.u_id}>
            <button type="button" disabled={isPending} onClick={() => open({ body: { u_id: person.u_id } })}>
              <Avatar url={person.profile_url} presence={person.presence} />
              <span>{person.nickname || person.u_id}</span>
            </button>
          </li>
        ))}
      </ul>
      <LinkButton look="primary" to={homePath(genderType)}>
        {m.chat_explore()}
      </LinkButton>
    </>
  );
}
