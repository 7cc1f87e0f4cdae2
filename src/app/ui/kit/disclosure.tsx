import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** Of several with one name, only one is open. */
  group?: string;
  children: ReactNode;
}

/** More, for whoever wants it. */
export function Disclosure({ title, group, children }: DisclosureProps) {
  return (
    <details className={styles.details} name={group}>
      <summary className={styles.summary}>
        {title}
        <ChevronDown aria-hidden="true" size={20} />
      </summary>
      <div className={styles.inside}>{children}</div>
    </details>
  );
}
