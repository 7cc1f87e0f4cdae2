/** A markdown table, as lines. */
export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)];
}

/** A markdown table whose columns are aligned as the formatter aligns them, for a document with other text. */
export function alignedTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [columns, ...rows].map((row) => row.map(escaped));
  const widths = columns.map((_, at) => Math.max(3, ...cells.map((row) => (row[at] ?? '').length)));
  const line = (row: readonly string[], fill = ' ') =>
    `| ${widths.map((width, at) => (row[at] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), line([], '-'), ...body.map((row) => line(row))];
}

const escaped = (cell: string): string => cell.replaceAll('|', String.raw`\|`);
