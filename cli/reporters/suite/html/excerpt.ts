import { readFileSync } from 'node:fs';
import { escaped, clockText } from '../../../../src/trace/picture/words.ts';
import type { CaseFailure, CaseResult } from '../../../../sim/scenario/run/run-scenario.ts';

/** The number of lines shown before and after the step that failed. */
const [BEFORE, AFTER] = [9, 4];

/**
 * Renders the file around the failed step: the steps that held before it, their times, the actual and the expected
 * value.
 */
export function excerptOf({ trace }: Pick<CaseResult, 'trace'>, { place, message }: CaseFailure): string {
  if (!place) return `<section><h3>Failure</h3><p class="reason">${escaped(message)}</p></section>`;
  const held = new Map(trace.flatMap((event) => (event.kind === 'step' ? [[event.place, event.at] as const] : [])));
  const lines = linesOf(place.file);
  const first = Math.max(1, place.line - BEFORE);
  const rows = lines.slice(first - 1, place.line + AFTER).map((text, at) => {
    const number = first + at;
    const when = held.get(`${place.file}:${number}`);
    const isFailed = number === place.line;
    const mark = isFailed ? '✗' : when === undefined ? '' : '✓';
    const line = `<span class="at">${isFailed || when === undefined ? '' : clockText(when)}</span><span class="mark">${mark}</span><span class="number">${number}</span>${escaped(text)}`;
    return isFailed ? `<mark>${line}</mark>\n<strong>${escaped(message)}</strong>` : `${line}\n`;
  });
  return `<section><h3>Failure</h3><p class="place">${escaped(`${place.file}:${place.line}:${place.column}`)}</p>
${rows.length === 0 ? `<p class="reason">${escaped(message)}</p>` : `<pre class="source" tabindex="0" role="group" aria-label="the step that failed, in its file">${rows.join('')}</pre>`}</section>`;
}

/** Returns no lines when the file cannot be read. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n');
  } catch {
    return [];
  }
}
