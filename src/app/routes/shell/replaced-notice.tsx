import { UserRoundX } from 'lucide-react';
import { m } from '../../core/i18n/generated/messages.js';
import { buttonClass } from '../../../ui/kit/button.tsx';
import { StateCard } from '../../../ui/kit/state-card.tsx';
import { homePath } from '../../core/session/home-path.ts';
import type { User } from '../../core/session/user-context.ts';
import styles from './replaced-notice.module.css';
import { WindowTitle } from './window-title.tsx';

/** Replaces every screen after another user has signed in in another tab (ADR 0025). */
export function ReplacedNotice({ user }: { user: User }) {
  const id = user.uId ?? '';
  return (
    <main className={styles.page}>
      <WindowTitle title={m.replaced_title()} />
      <StateCard level={1} icon={<UserRoundX />} title={m.replaced_title()} hint={m.replaced_hint({ id })} role="alert">
        {/* A full page load: no data of the earlier user remains. */}
        <a href={homePath(user.genderType)} className={buttonClass('primary')}>
          {m.replaced_action({ id })}
        </a>
      </StateCard>
    </main>
  );
}
