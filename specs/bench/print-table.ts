/** Formats a table with aligned columns, as lines: the first column to the left, figures to the right. */
export function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  return lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  '),
  );
}

export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const line of tableLines(head, rows)) console.log(line);
}
