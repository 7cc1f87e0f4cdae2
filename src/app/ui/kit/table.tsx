import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Figures stand at the right. */
  readonly isFigure?: boolean;
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  /** What it is a table of; read out. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** Rows and columns; on a phone each row is a card, and each cell says whose it is. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ key, title, isFigure }) => (
            <th key={key} scope="col" data-figure={isFigure}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ key, title, isFigure, cell }) => (
              <td key={key} data-title={title} data-figure={isFigure}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
