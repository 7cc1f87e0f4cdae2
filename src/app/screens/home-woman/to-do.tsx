import { CircleCheck, CircleDashed } from 'lucide-react';
import type { Profile } from '../../../protocol/product/profiles.ts';
import { m } from '../../i18n/generated/messages.js';
import { ListRow } from '../../kit/list-row.tsx';
import styles from './to-do.module.css';

/** What is left to do before she is found and paid. Nothing once all is done. */
export function ToDo({ profile }: { profile: Profile }) {
  const steps = [
    { key: 'photo', done: profile.photos.length > 0, text: m.todo_photo(), to: '/woman-edit' },
    { key: 'intro', done: profile.intro !== '', text: m.todo_intro(), to: '/woman-edit' },
    { key: 'identity', done: profile.verified, text: m.todo_identity(), to: '/identity-verification' },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <section className={styles.todo} aria-labelledby="hub-todo">
      <h2 id="hub-todo">{m.todo_title()}</h2>
      <ul className={styles.steps}>
        {steps.map(({ key, done, text, to }) => (
          <li key={key} data-done={done}>
            <ListRow
              {...(done ? {} : { to })}
              start={done ? <CircleCheck aria-hidden="true" /> : <CircleDashed aria-hidden="true" />}
              title={text}
              detail={done ? m.todo_done() : m.todo_open()}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
