import type { ReactNode } from 'react';
import styles from './table.module.css';

/** A column of a table. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Whether the column holds figures, which are aligned right. Default: false. */
  readonly isFigure?: boolean;
  cell(row: Row): ReactNode;
}

interface TableProps<Row> {
  /** The caption of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** Shows rows and columns. On a phone each row is a card, and each cell names its column. */
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
