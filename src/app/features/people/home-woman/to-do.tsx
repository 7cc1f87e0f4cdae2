import { CircleCheck, CircleDashed } from 'lucide-react';
import { m } from '../../../core/i18n/generated/messages.js';
import { ListRow } from '../../../../ui/kit/list-row.tsx';
import type { ToDoStep } from './to-do-steps.ts';
import styles from './to-do.module.css';

/** Lists the remaining steps before a woman can be found and paid. Renders nothing after the last one. */
export function ToDo({ steps }: { steps: readonly ToDoStep[] }) {
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
