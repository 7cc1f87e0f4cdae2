import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './disclosure.module.css';

interface DisclosureProps {
  title: string;
  /** The name of a group in which only one disclosure is open. Default: no group. */
  group?: string;
  children: ReactNode;
}

/** Renders a summary that opens further content. */
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
