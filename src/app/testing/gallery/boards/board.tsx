import type { ReactNode } from 'react';
import styles from './board.module.css';

/** A page of parts of the kit. */
export function Board({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.board}>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
