import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportPage } from '../../../cli/reporters/suite/html/page.ts';
import type { SuiteSummary } from '../../../cli/reporters/suite/suite-reporter.ts';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

let folder: string;
const story = () => join(folder, 'story.yaml');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ringback-report-'));
  writeFileSync(story(), Array.from({ length: 30 }, (_, at) => `line ${at + 1} <b>`).join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const trace = (): TraceEvent[] => [
  {
    ...{ at: 0, kind: 'message', device: 'alice', direction: 'up', cmd: 'offer' },
    payload: { token: 'hush', where: '10.1.2.3', session: ['v=0', 'm=<audio>'] },
  },
  { at: 1, kind: 'http', device: 'alice', direction: 'up', request: 'POST /v1/x', body: { a: 1 }, fate: 'dropped' },
  { at: 2, kind: 'state', device: 'alice', machine: 'call', from: 'idle', to: 'dialing' },
  { at: 3, kind: 'step', place: `${story()}:18`, text: 'alice.dial' },
];

const result = (name: string, more: Partial<CaseResult> = {}): CaseResult => ({
  ...{ scenario: name, file: story(), seed: 7, state: 'passed', proves: ['DC-01'], wallMs: 12, simulatedMs: 5_000 },
  ...{ messages: 1, trace: trace(), ...more },
});
const failed = (name: string): CaseResult =>
  result(name, {
    ...{ state: 'failed', proves: [] },
    failure: { place: { file: story(), line: 20, column: 7 }, message: 'not so: bob.call.state is <ringing>' },
  });

function page(results: readonly CaseResult[], more: Partial<SuiteSummary> = {}): string {
  const failures = results.filter(({ state }) => state === 'failed').length;
  const summary: SuiteSummary = {
    ...{ world: 'virtual', passed: results.length - failures, failed: failures, inconclusive: 0, skipped: 3, flaky: 0 },
    ...{ wallMs: 1_234.56, simulatedMs: 7_500_000, results, proves: ['DC-01'], complete: true, ...more },
  };
  return reportPage(summary, ({ state, scenario }) => (state === 'failed' ? `out/${scenario} 7.ndjson` : undefined));
}
const text = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('the report of a run', () => {
  it('shows an inconclusive case as inconclusive, after the failed cases', () => {
    const late = result('c', {
      ...{ state: 'inconclusive', proves: [] },
      failure: { message: 'inconclusive: step 2 was taken 1s late\nnot so: bob.call.state is ringing' },
    });
    const html = page([result('a'), late, failed('b')], { passed: 1, failed: 1, inconclusive: 1 });
    expect(text(html)).toMatch(/1 of 3 failed passed 1 failed 1 inconclusive 1 skipped 3/);
    expect(html).toMatch(/case failed[\s\S]*case inconclusive[\s\S]*case passed/);
    expect(html).toContain('id="only-inconclusive"');
    expect(text(html)).toContain('inconclusive c inconclusive: step 2 was taken 1s late not so');
    expect(html).not.toContain('failed: inconclusive');
    const alone = page([result('a'), late], { passed: 1, failed: 0, inconclusive: 1 });
    expect(alone).toContain('<h1 class="bad">1 of 2 inconclusive</h1>');
  });

  it('begins with the result: the number of cases, the time and the world', () => {
    expect(text(page([failed('a'), result('b')]))).toMatch(
      /Ringback scenarios, virtual world 1 of 2 failed passed 1 failed 1 skipped 3 real time 1\.235s simulated 2 h 5 min requirements 1 The requirements that the traces show DC-01/,
    );
    expect(text(page([result('a'), result('b')]))).toContain('All 2 passed');
    expect(page([result('a')], { complete: false })).toContain('The run ended early');
    const left = { cases: 7, why: 'interrupted' } as const;
    expect(page([result('a')], { complete: false, left })).toContain(
      'The run ended early (interrupted): 7 of the selected cases were not run.',
    );
    const empty = page([], { complete: false, proves: [] });
    expect(empty).toContain('No scenario was run');
    expect(empty).not.toContain('type="radio"');
  });

  it('uses only its own style and script, with a policy for the browser', () => {
    const html = page([failed('a')]);
    const hash = (tag: string) => {
      const inside = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(inside).digest('base64')}'`;
    };
    expect(html).toContain(`default-src 'none'; style-src ${hash('style')}; script-src ${hash('script')};`);
    expect(html.match(/<(?:script|style)\b/g)).toHaveLength(2);
    expect(html).not.toMatch(/ (?:style|on\w+)="|(?:src|href)="|@import|url\(/);
  });

  it('shows the failed step in its file, the passed steps before it, and the observed value', () => {
    const html = page([failed('a')]);
    const source = /<pre class="source"[^>]*>([\s\S]*?)<\/pre>/.exec(html)?.[1] ?? '';
    expect(source.replaceAll(/<[^>]+>/g, '').split('\n')[7]).toBe('0.003 s✓18line 18 &lt;b&gt;');
    expect(source).toMatch(
      /<mark>.*✗.*20<\/span>line 20 &lt;b&gt;<\/mark>\n<strong>not so: bob\.call\.state is &lt;ringing&gt;<\/strong>/,
    );
    expect(text(source)).toMatch(/11 line 11.* 24 line 24 &lt;b&gt; $/);
    const lost = page([
      result('a', { state: 'failed', failure: { place: { file: 'gone', line: 1, column: 1 }, message: 'why' } }),
    ]);
    expect(text(lost)).toContain('gone:1:1 why');
    expect(text(page([result('a', { state: 'failed', failure: { message: 'left over' } })]))).toContain(
      'Failure left over',
    );
  });

  it('prints the command that runs a case again, quoted for a shell', () => {
    const html = page([failed('it/breaks')]);
    expect(html).toContain(`<code>ringback run ${story()} --seed 7 --trace on</code>`);
    expect(html).toContain("<code>ringback trace 'out/it/breaks 7.ndjson'</code>");
    expect(html).toContain("<code>ringback replay 'out/it/breaks 7.ndjson' --step</code>");
    const real = page([failed('a')], { world: 'real' });
    expect(real).toContain('--seed 7 --world real --trace on');
    expect(real).not.toContain('ringback replay');
  });

  it('has the messages with their payloads, without secrets and addresses', () => {
    const html = page([failed('a')]);
    expect(html).toContain('<caption>Messages and requests, in the order in which they were sent</caption>');
    expect(html).toMatch(/<summary>offer<\/summary><pre tabindex="0">[\s\S]*\n\nv=0\nm=&lt;audio&gt;<\/pre>/);
    expect(html).toMatch(/<tr class="up bad"><td class="num">0\.001 s<\/td>[\s\S]*POST \/v1\/x[\s\S]*>dropped<\/td>/);
    expect(html).not.toMatch(/hush|10\.1\.2\.3/);
  });

  it('has the timers of a case up to its end, with their progress', () => {
    expect(text(page([failed('a')]))).toContain(
      'Timers: 2, of which 0 fired Progress of each timer device timer from to progress outcome alice alive 0.002 s 5.000 s 4.998s of 30s still running',
    );
  });

  it('has the failures first, and opens them when they are few', () => {
    const [few, many] = [3, 4].map((count) =>
      page([result('z'), ...Array.from({ length: count }, (_, at) => failed(`f${at}`))]),
    );
    expect(few?.match(/<details class="case failed"[^>]* open>/g)).toHaveLength(3);
    expect(many).not.toMatch(/<details class="case \w+"[^>]* open>/);
    expect([...(few ?? '').matchAll(/<h2>(\w+)<\/h2>/g)].map(([, name]) => name)).toEqual(['f0', 'f1', 'f2', 'z']);
  });

  it('stays small for a large run: it has the messages of failures only, and the states and timers of every case', () => {
    const ladders = (html: string) => html.match(/aria-label="ladder of messages"/g)?.length ?? 0;
    const passes = (count: number) => Array.from({ length: count }, (_, at) => result(`p${at}`));
    expect(ladders(page(passes(20)))).toBe(20);
    const large = page([...passes(250), failed('f')]);
    expect(ladders(large)).toBe(1);
    expect(large.match(/aria-label="states, timers and faults over time"/g)).toHaveLength(251);
    expect(text(large)).toContain('The failed cases also show their messages.');
    expect(ladders(page(Array.from({ length: 60 }, (_, at) => failed(`f${at}`))))).toBe(50);
  });

  it('shows the skipped and the retried cases, with the reason', () => {
    const skip = result('s', { ...{ state: 'skipped', skipped: 'no <media> there', trace: [], proves: [] } });
    const again = result('f', { flaky: [{ place: { file: story(), line: 20, column: 7 }, message: 'too late' }] });
    const html = page([result('a'), skip, again], { flaky: 1, world: 'real' });
    expect(text(html)).toMatch(/flaky 1 skipped 3 [\s\S]*All 3 Failed 0 Flaky 1 Passed 2 Skipped 1/);
    expect(text(html)).not.toContain('simulated');
    expect(html).toMatch(
      /<details class="case skipped"[^>]*>\n<summary><span class="verdict">skipped<.*no &lt;media&gt; there/,
    );
    expect(html).toMatch(/<details class="case flaky passed"[\s\S]*Try 1 failed[\s\S]*✗[\s\S]*too late/);
    expect(text(html)).not.toContain('No event happened');
  });

  it('counts timers by their lengths', () => {
    const timers = { alive: 1_000, ring: 4_998, connection: 1, grace: 1 };
    const words = text(page([result('a', { timers })]));
    expect(words).toContain('alice alive 0.002 s 5.000 s 998ms of 1s fired 4 times, still running');
    expect(words).toContain('alice ring 0.002 s 5.000 s 4.998s of 4.998s fired');
  });

  it('finds a case by name, file, requirement and reason', () => {
    const [, words] = /data-words="([^"]*)"/.exec(page([{ ...failed('Mine/One'), proves: ['DC-35'] }])) ?? [];
    expect(words).toBe(`mine/one ${story().toLowerCase()} dc-35 not so: bob.call.state is &lt;ringing&gt;`);
  });
});
