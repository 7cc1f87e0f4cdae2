import { type Ladder, momentText } from './ladder-rows.ts';

/** Returns a ladder as a Mermaid sequence diagram. */
export function mermaidOf({ lanes, rows }: Ladder): string {
  const name = (lane: string) => `L${lanes.indexOf(lane)}`;
  const everybody = lanes.length > 1 ? `${name(lanes[0] ?? '')},${name(lanes.at(-1) ?? '')}` : name(lanes[0] ?? '');
  const lines = rows.map((row) => {
    const words = `${momentText(row.at).trim()} ${escaped(row.text)}`;
    if (row.kind === 'arrow')
      return `  ${name(row.from)}${row.lost ? '-x' : '->>'}${name(row.to)}: ${words}${row.fate === undefined || row.lost ? '' : ` (${row.fate})`}`;
    return row.lane === undefined ? `  Note over ${everybody}: ${words}` : `  Note over ${name(row.lane)}: ${words}`;
  });
  return `${['sequenceDiagram', ...lanes.map((lane) => `  participant ${name(lane)} as ${lane}`), ...lines].join('\n')}\n`;
}

/** Escapes `;` and `#`, which have a meaning in Mermaid. */
const escaped = (text: string): string => text.replaceAll('#', '#35;').replaceAll(';', '#59;');
