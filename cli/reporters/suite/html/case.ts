/** A case of the report: its result, its failure, the commands that run it again, and its events. */
import { spanText } from '../../../../sim/format/duration.ts';
import { escaped } from '../../../../src/trace/picture/words.ts';
import { ladderOf, type Note } from '../../../../src/trace/picture/ladder.ts';
import { svgOf } from '../../../../src/trace/picture/ladder-svg.ts';
import { timelineOf } from '../../../../src/trace/picture/timeline-svg.ts';
import { endOf } from '../../../../src/trace/state-spans.ts';
import { maskedTrace } from '../../../../sim/scenario/trace/masked-trace.ts';
import type { TraceEvent } from '../../../../src/trace/events.ts';
import { nameOf, type SuiteResult } from '../suite-reporter.ts';
import { commandsFor } from './commands.ts';
import { excerptOf } from './excerpt.ts';
import { messagesPart } from './messages.ts';
import { timersPart } from './timers.ts';
import { MACHINES } from '../../../../sim/scenario/trace/machines.ts';

interface CaseOptions {
  readonly id: string;
  readonly world: string;
  /** The path of its trace. */
  readonly trace: string | undefined;
  /** True to show the ladder and the messages with their payloads. */
  readonly isWhole: boolean;
  readonly isOpen: boolean;
}

interface FailedAt {
  readonly at: number;
  readonly text: string;
}

/** Returns the categories by which the page filters a case. The first one is its verdict. */
export const kindsOf = ({ state, flaky }: SuiteResult): string[] => (flaky ? ['flaky', state] : [state]);

export function casePart(result: SuiteResult, options: CaseOptions): string {
  const { id, isOpen } = options;
  const { failure, flaky = [], skipped, proves } = result;
  const name = nameOf(result);
  const kinds = kindsOf(result);
  const reason = failure?.message ?? skipped ?? flaky[0]?.message;
  const words = [name, result.file, ...proves, reason ?? ''].join(' ').toLowerCase();
  return `<details class="case ${kinds.join(' ')}" id="${id}" data-words="${escaped(words)}"${isOpen ? ' open' : ''}>
<summary><span class="verdict">${kinds[0]}</span><span class="what"><h2>${escaped(name)}</h2>${reason === undefined ? '' : `<span class="reason">${escaped(reason)}</span>`}</span><span class="counts">${countsOf(result, options)}</span></summary>
<div class="body">
${failure ? excerptOf(result, failure) : ''}
${flaky.map((first, at) => `<h3 class="try">Try ${at + 1} failed</h3>${excerptOf({ trace: [] }, first)}`).join('')}
${commandsPart(result, options)}
${skipped === undefined ? picturesPart(result, options) : ''}
${proves.length > 0 ? `<p class="proves">Shows ${proves.map(escaped).join(', ')}.</p>` : ''}
</div>
</details>`;
}

function countsOf({ skipped, messages, simulatedMs, wallMs }: SuiteResult, { world }: CaseOptions): string {
  if (skipped !== undefined) return '';
  const simulated = world === 'virtual' ? `${spanText(Math.round(simulatedMs))} simulated in ` : '';
  return `${messages} messages · ${simulated}${spanText(Math.round(wallMs))}`;
}

function commandsPart(result: SuiteResult, { world, trace }: CaseOptions): string {
  const commands = commandsFor(result, world, trace).map(
    ({ command, what }) => `<p><code>${escaped(command)}</code> <span>${what}</span></p>`,
  );
  return `<section class="again"><h3>Run it again</h3>${commands.join('')}</section>`;
}

function picturesPart(result: SuiteResult, { isWhole }: CaseOptions): string {
  const { failure, state, timers: lengths } = result;
  const trace = maskedTrace(result.trace);
  if (trace.length === 0) return '<p class="hint">No event happened.</p>';
  const name = nameOf(result);
  const end = Math.max(result.simulatedMs, endOf(trace));
  const over = { styled: false, end, lengths, failed: failure !== undefined };
  return `<section><h3>States, timers and faults</h3>
<figure tabindex="0" aria-label="states, timers and faults over time">${timelineOf(trace, MACHINES, { title: `${name}: states and timers`, ...over })}<figcaption>Time runs from left to right; long waits are shortened. A dotted line leads to the time at which a timer would have fired.</figcaption></figure>
${timersPart(trace, { lengths, end })}</section>
${isWhole ? messagesSection(trace, name, failure && { at: end, text: state === 'failed' ? `failed: ${failure.message}` : failure.message }) : ''}`;
}

function messagesSection(trace: readonly TraceEvent[], name: string, failure: FailedAt | undefined): string {
  const { lanes, rows } = ladderOf(trace, MACHINES);
  const failed: Note[] = failure ? [{ kind: 'note', at: failure.at, text: failure.text, tone: 'bad' }] : [];
  const ladder = svgOf({ lanes, rows: [...rows, ...failed] }, { title: `${name}: messages`, styled: false });
  return `<section><h3>Messages</h3>
<figure tabindex="0" aria-label="ladder of messages">${ladder}<figcaption>Candidates and empty acknowledgements are left out. The colour of a lane shows the state of its call.</figcaption></figure>
${messagesPart(trace)}</section>`;
}
