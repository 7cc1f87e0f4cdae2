import { CircleAlert } from 'lucide-react';
import styles from './form-failure.module.css';

/**
 * Shows why the server refused a form, when the reason concerns no single field. The region is always in the page, so
 * that screen readers announce its text.
 */
export function FormFailure({ words }: { words: string | null }) {
  return (
    <p role="alert" className={styles.failure}>
      {words !== null && (
        <>
          <CircleAlert aria-hidden="true" size={20} />
          {words}
        </>
      )}
    </p>
  );
}
