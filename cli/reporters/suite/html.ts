import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spanText } from '../../../sim/scenario/format/duration.ts';
import { ladderOf } from '../../../sim/scenario/picture/ladder-rows.ts';
import { stateLanesOf } from '../../../sim/scenario/picture/state-lanes.ts';
import { escaped, svgOf } from '../../../sim/scenario/picture/svg.ts';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';
import type { Output } from '../reporter.ts';
import { countsOf, nameOf, type SuiteReporter, type SuiteSummary } from './suite-reporter.ts';

/** Lines shown before and after the step that failed. */
const AROUND = 4;

/** A report to look at: one file, without scripts or anything from elsewhere. */
export function htmlReporter({ out, err }: Output, folder: string): SuiteReporter {
  return {
    began: (total) => void (err.isTTY && err.write(`0 of ${total}`)),
    result: (_, { done, total }) => void (err.isTTY && err.write(`\r\u001B[2K${done} of ${total}`)),
    ended(summary) {
      const file = join(folder, 'report.html');
      writeFileSync(file, pageOf(summary));
      if (err.isTTY) err.write('\r\u001B[2K');
      out.write(`${countsOf(summary)}: ${file}\n`);
    },
  };
}

function pageOf(summary: SuiteSummary): string {
  const { passed, failed, simulatedMs, wallMs, proves, results } = summary;
  const ordered = results.toSorted((a, b) => Number(a.state === 'passed') - Number(b.state === 'passed'));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${failed > 0 ? `${failed} failed` : `${passed} passed`}: scenarios</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${failed > 0 ? `${failed} of ${passed + failed} scenarios failed` : `All ${passed} scenarios hold`}</h1>
<p>${countsOf(summary)}. ${spanText(simulatedMs)} simulated in ${spanText(wallMs)}. ${proves.length} requirements shown.</p>
${ordered.map(caseOf).join('\n')}
</main>
</body>
</html>
`;
}

const VERDICTS = { passed: 'ok', failed: 'FAIL', skipped: 'skip' } as const;

function caseOf(result: CaseResult): string {
  const name = nameOf(result);
  const counts = `${result.messages} messages, ${spanText(result.simulatedMs)} simulated, ${spanText(result.wallMs)}`;
  return `<details class="${result.state}"${result.failure ? ' open' : ''}>
<summary><span class="verdict">${VERDICTS[result.state]}</span> <b>${escaped(name)}</b> <span class="counts">${counts}</span></summary>
${result.failure ? failureOf(result) : ''}
${result.skipped === undefined ? '' : `<p>${escaped(result.skipped)}</p>`}
${(result.flaky ?? []).map(({ message }) => `<p class="reason">flaky, at first: ${escaped(message)}</p>`).join('')}
${result.proves.length > 0 ? `<p class="proves">shows ${result.proves.map(escaped).join(', ')}</p>` : ''}
<div class="scroll">${stateLanesOf(result.trace, `states of ${name}`)}</div>
<div class="scroll">${svgOf(ladderOf(result.trace), `messages of ${name}`)}</div>
</details>`;
}

function failureOf({ failure, file, seed }: CaseResult): string {
  if (!failure) return '';
  const { place, message } = failure;
  return `<p class="reason">${escaped(message)}</p>
${place ? `<pre>${excerptOf(place.file, place.line)}</pre>` : ''}
<p>Again: <code>ringback run ${escaped(file)} --seed ${seed} --trace on</code></p>`;
}

/** The step that failed, in its file. */
function excerptOf(file: string, line: number): string {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return escaped(`${file}:${line}`);
  }
  const first = Math.max(1, line - AROUND);
  return lines
    .slice(first - 1, line + AROUND)
    .map((text, at) => {
      const number = first + at;
      const shown = `${String(number).padStart(4)}  ${escaped(text)}`;
      return number === line ? `<mark>${shown}</mark>` : shown;
    })
    .join('\n');
}

const STYLE = `
:root{color-scheme:light dark;--ink:#241a2b;--dim:#6b6072;--ground:#fbf9fc;--card:#fff;--line:#e2dbe6;--good:#2e7d4f;--bad:#b3261e;--amber:#c77700;--way:#4a6fa5}
@media(prefers-color-scheme:dark){:root{--ink:#f2ecf5;--dim:#b3a8ba;--ground:#141018;--card:#1d1722;--line:#3a3040;--good:#7fd39b;--bad:#ff9b93;--amber:#f2b45c;--way:#8fb3ea}}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 ui-sans-serif,system-ui,sans-serif}
main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}h1{font-size:26px;margin:0 0 4px}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:8px 0;padding:0 14px}
summary{cursor:pointer;padding:10px 0}.verdict{font-weight:700;color:var(--good)}.failed .verdict,.reason{color:var(--bad)}
.counts,.proves{color:var(--dim)}.reason{font-weight:600}pre{overflow:auto;background:var(--ground);border-radius:8px;padding:10px}
mark{background:color-mix(in oklab,var(--amber) 30%,transparent);color:inherit;display:inline-block;min-width:100%}
.scroll{overflow-x:auto;margin:10px 0}.lanes{width:100%;min-width:640px;font:12px ui-sans-serif,system-ui,sans-serif}
.lanes text{fill:var(--ink)}.lanes .name{text-anchor:end}.lanes .axis{fill:var(--dim)}.lanes .end{text-anchor:end}
.lanes rect{fill:color-mix(in oklab,var(--way) 35%,transparent);stroke:var(--way)}.lanes .good{fill:color-mix(in oklab,var(--good) 35%,transparent);stroke:var(--good)}
.lanes .trouble{fill:color-mix(in oklab,var(--amber) 40%,transparent);stroke:var(--amber)}.lanes .over{fill:color-mix(in oklab,var(--dim) 20%,transparent);stroke:var(--dim)}
.lanes .mark{stroke:var(--bad);stroke-width:2;stroke-dasharray:3 3;fill:none}`;
