/** The page of a run: its totals, the filters, and every case. */
import { createHash } from 'node:crypto';
import { spanText } from '../../../../sim/format/duration.ts';
import { escaped } from '../../../../src/trace/picture/words.ts';
import type { SuiteResult, SuiteSummary } from '../suite-reporter.ts';
import { casePart, kindsOf } from './case.ts';
import { FILTER_SCRIPT } from './filter-script.ts';
import { PAGE_STYLE } from './page-style.ts';

/** Up to this many cases, the page has the messages of all cases. Above it, only of failed ones. */
const WHOLE_RUN = 20;
/** The maximum number of failures with messages. Further failures have their states and timers. */
const WHOLE_FAILURES = 50;
/** The number of failures that are expanded when the page opens. */
const OPEN_FAILURES = 3;

/** @param traceOf - returns the path of the trace of a case. */
export function reportPage(summary: SuiteSummary, traceOf: (result: SuiteResult) => string | undefined): string {
  const { results, failed, inconclusive, world } = summary;
  const of = (...states: readonly SuiteResult['state'][]) => results.filter(({ state }) => states.includes(state));
  const failures = [...of('failed'), ...of('inconclusive')];
  const ordered = [...failures, ...of('passed', 'skipped')];
  const whole = new Set(results.length <= WHOLE_RUN ? results : failures.slice(0, WHOLE_FAILURES));
  const cases = ordered.map((result, at) =>
    casePart(result, {
      id: `case-${at + 1}`,
      world,
      trace: traceOf(result),
      isWhole: whole.has(result),
      isOpen: result.failure !== undefined && failures.length <= OPEN_FAILURES,
    }),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hashOf(PAGE_STYLE)}'; script-src '${hashOf(FILTER_SCRIPT)}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(headline(summary))} · Ringback</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<p class="brand">Ringback <span>scenarios, ${escaped(world)} world</span></p>
<h1${failed + inconclusive > 0 ? ' class="bad"' : ''}>${escaped(headline(summary))}</h1>
${summary.complete ? '' : notice(summary)}
${numbers(summary)}
</header>
<main>
${results.length === 0 ? '' : choices(summary)}
${whole.size < results.length ? `<p class="hint">${hint(failures.length)}</p>` : ''}
<div id="cases">
${cases.join('\n')}
</div>
<p id="none" class="hint" hidden>No case has these words.</p>
</main>
<script>${FILTER_SCRIPT}</script>
</body>
</html>
`;
}

/** Returns the hash by which a content security policy allows a style or a script of its own page. */
export const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** Returns the note of a run that ended early. A merged report may not know how many cases are missing. */
function notice({ left }: SuiteSummary): string {
  const missing = left ? `${left.cases} of the selected cases` : 'some of the selected cases';
  const why = left ? ` (${left.why})` : '';
  return `<p class="notice" role="note">The run ended early${why}: ${missing} were not run.</p>`;
}

function headline({ passed, failed, inconclusive, results, left }: SuiteSummary): string {
  if (results.length === 0) return 'No scenario was run';
  const all = passed + failed + inconclusive;
  if (failed > 0) return `${failed} of ${all} failed`;
  if (inconclusive > 0) return `${inconclusive} of ${all} inconclusive`;
  if (left) return `${passed} passed, ${left.cases} not run`;
  return passed === 1 ? 'The only case passed' : `All ${passed} passed`;
}

function numbers(summary: SuiteSummary): string {
  const { world, passed, failed, inconclusive, flaky, skipped, wallMs, simulatedMs, proves } = summary;
  const tiles = [
    ['passed', String(passed), passed > 0 ? 'good' : ''],
    ['failed', String(failed), failed > 0 ? 'bad' : ''],
    ...(inconclusive > 0 ? [['inconclusive', String(inconclusive), 'trouble']] : []),
    ...(flaky > 0 ? [['flaky', String(flaky), 'trouble']] : []),
    ['skipped', String(skipped), ''],
    ['real time', spanText(Math.round(wallMs)), ''],
    ...(world === 'virtual' ? [['simulated', lengthText(simulatedMs), '']] : []),
    ['requirements', String(proves.length), ''],
  ].map(([name, value, tone]) => `<div class="tile ${tone}"><dt>${name}</dt><dd>${value}</dd></div>`);
  const all = passed + failed + inconclusive + skipped;
  const bar =
    all === 0
      ? ''
      : `<svg class="share" viewBox="0 0 ${all} 1" preserveAspectRatio="none" aria-hidden="true"><rect class="good" width="${passed}" height="1"/><rect class="bad" x="${passed}" width="${failed}" height="1"/><rect class="trouble" x="${passed + failed}" width="${inconclusive}" height="1"/><rect class="over" x="${passed + failed + inconclusive}" width="${skipped}" height="1"/></svg>`;
  const shown =
    proves.length === 0
      ? ''
      : `<details class="proofs"><summary>The requirements that the traces show</summary><p>${proves.map(escaped).join(' · ')}</p></details>`;
  return `<dl class="tiles">${tiles.join('')}</dl>${bar}${shown}`;
}

const hint = (failures: number): string =>
  `Each case shows its states and timers, and the command that draws its messages. ${failures === 0 ? '' : failures > WHOLE_FAILURES ? `The first ${WHOLE_FAILURES} failed cases also show their messages.` : 'The failed cases also show their messages.'}`;

/** Formats long times in hours, which read better than thousands of seconds. */
function lengthText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 2) return spanText(Math.round(ms));
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The style selects which cases are shown. Only the text search needs the script. */
function choices({ results }: SuiteSummary): string {
  const count = (kind: string) => results.filter((result) => kindsOf(result).includes(kind)).length;
  const kinds = [
    ['all', results.length] as const,
    ...['failed', 'inconclusive', 'flaky', 'passed', 'skipped'].map((kind) => [kind, count(kind)] as const),
  ];
  const inputs = kinds
    .filter(([kind, number]) => number > 0 || kind === 'failed')
    .map(
      ([kind, number]) =>
        `<input type="radio" name="kind" id="only-${kind}"${kind === 'all' ? ' checked' : ''}><label for="only-${kind}">${kind[0]?.toUpperCase()}${kind.slice(1)} ${number}</label>`,
    );
  return `<div class="choices"><fieldset><legend>Show</legend>${inputs.join('')}</fieldset>
<p id="search" hidden><label for="words">Find</label><input type="search" id="words" placeholder="name, file, requirement, reason" autocomplete="off" spellcheck="false"><span id="found" role="status"></span></p></div>`;
}
