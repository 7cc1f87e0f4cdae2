import { printableWord } from './printable.ts';

/** Formats rows as columns with a header. Characters that a terminal obeys are escaped. */
export function tableOf(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const shown = [header, ...rows].map((row) => row.map(printableWord));
  const widths = header.map((_, at) => Math.max(...shown.map((row) => (row[at] ?? '').length)));
  const lines = shown.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
