import { CircleAlert } from 'lucide-react';
import styles from './form-failure.module.css';

/** Why a form was not taken, where no single field is to blame. Always there, so that what comes into it is read out. */
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
