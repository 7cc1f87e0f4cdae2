import { stringify } from 'yaml';
import { flow, item } from '../format/write-scenario.ts';
import type { Inferred } from './infer-scenario.ts';

/** Returns an inferred scenario as the text of a file. Its notes become comments. */
export function inferredText({ actors, timers, lines, notes }: Inferred, name: string, about: string): string {
  const head = {
    scenario: name,
    about,
    tags: ['recorded'],
    ...(Object.keys(timers).length > 0 ? { timers } : {}),
  };
  return [
    stringify(head, { lineWidth: 0 }).trimEnd(),
    Object.keys(actors).length === 0 ? 'actors: {}' : 'actors:',
    ...Object.entries(actors).map(([actor, value]) => `  ${actor}: ${flow(value)}`),
    ...notes.map((note) => `# ${note}`),
    lines.length === 0 ? 'steps: []' : 'steps:',
    ...lines.flatMap(({ comment, step }) => [...(comment === undefined ? [] : [`  # ${comment}`]), item(step)]),
    '',
  ].join('\n');
}
