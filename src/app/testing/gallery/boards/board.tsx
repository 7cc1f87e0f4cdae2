import type { ReactNode } from 'react';
import styles from './board.module.css';

/** Renders a page of the kit's components. */
export function Board({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.board}>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
