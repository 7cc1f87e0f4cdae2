import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseReporters, type ReporterName } from '../../../cli/arguments/choices.ts';
import { chooseReporters } from '../../../cli/reporters/suite/choose-reporters.ts';
import { listReporter } from '../../../cli/reporters/suite/list.ts';
import type { SuiteSummary } from '../../../cli/reporters/suite/suite-reporter.ts';
import type { CaseResult } from '../../../sim/scenario/run/run-scenario.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'ringback-reporters-'))));
afterAll(() => rmSync(folder, { recursive: true }));
// A FORCE_COLOR of the environment must not affect a test.
beforeEach(() => vi.stubEnv('FORCE_COLOR', undefined));
afterEach(() => vi.unstubAllEnvs());

const result = (scenario: string, more: Partial<CaseResult> = {}): CaseResult => ({
  ...{ scenario, file: `a:b,${scenario}.yaml`, seed: 1, state: 'passed', proves: [], wallMs: 1_500, simulatedMs: 0 },
  ...{ messages: 0, trace: [], ...more },
});
const failure = { place: { file: 'x.yaml', line: 3, column: 7 }, message: 'not "so"\nbut <so> \u001b[1m' };
const RESULTS: readonly CaseResult[] = [
  result('direct/one', { case: 'ring 1s' }),
  result('direct/one', { case: 'ring 2s', state: 'failed', failure }),
  result('two', { state: 'skipped', skipped: 'no media & no time' }),
  result('three', { flaky: [{ message: 'at first' }, failure] }),
  result('four', { state: 'inconclusive', failure: { ...failure, message: 'inconclusive: step 2 was late\nnot so' } }),
];

/** The output of the reporters to standard output and to standard error, which is a terminal. */
function shown(...names: ReporterName[]): { out: string; err: string } {
  const said = { out: '', err: '' };
  const output = {
    out: { write: (text: string) => void (said.out += text) },
    err: { write: (text: string) => void (said.err += text), isTTY: true },
  };
  const reporter = chooseReporters(names, output, folder);
  const summary: SuiteSummary = {
    ...{ world: 'real', passed: 2, failed: 1, inconclusive: 1, skipped: 9, flaky: 1, wallMs: 6_000, simulatedMs: 0 },
    ...{ results: RESULTS, proves: [], complete: true },
  };
  reporter.began?.(RESULTS.length, 'real');
  RESULTS.forEach((one, at) => reporter.result?.(one, { done: at + 1, total: RESULTS.length }));
  reporter.ended(summary);
  return said;
}

describe('JUnit', () => {
  /** The attributes that junit-10.xsd of Jenkins's xUnit plugin allows for each element. Those with ! are required. */
  const RULES: Readonly<Record<string, string>> = {
    testsuites: 'name time tests failures errors',
    testsuite: '!name !tests !failures !errors group time skipped timestamp hostname id package file log url version',
    testcase: '!name time classname group',
    failure: 'type message',
    error: 'type message',
    flakyFailure: '!type message',
    skipped: 'type message',
  };

  it('follows the schema that build servers use', () => {
    const { out } = shown('junit');
    const [head, ...elements] = [...out.matchAll(/<(\??\w+)((?: [\w.-]+="[^"<]*")*) ?\??\/?>/g)];
    expect(head?.[0]).toBe('<?xml version="1.0" encoding="UTF-8"?>');
    expect(out.match(/<(?!\/)/g)).toHaveLength(elements.length + 1);
    for (const [, name = '', attributes = ''] of elements) {
      const allowed = (RULES[name] ?? '').split(' ');
      const there = [...attributes.matchAll(/ (\w+)=/g)].map(([, attribute]) => attribute ?? '');
      for (const attribute of there)
        expect(allowed, name).toContain(allowed.includes(`!${attribute}`) ? `!${attribute}` : attribute);
      for (const needed of allowed.filter((one) => one.startsWith('!'))) expect(there, name).toContain(needed.slice(1));
    }
    expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
  });

  it('has a suite for each scenario, its counts, and why a test failed, was skipped or was flaky', () => {
    const { out } = shown('junit');
    expect(out).toContain('<testsuites name="ringback real" tests="5" failures="1" errors="1" time="6.000">');
    expect(out).toContain(
      '<testsuite name="direct/one" file="a:b,direct/one.yaml" tests="2" failures="1" errors="0" skipped="0" time="3.000">',
    );
    expect(out).toContain('<testcase classname="direct.one" name="direct/one [ring 1s]" time="1.500"/>');
    expect(out).toContain(
      '<failure type="failed" message="not &quot;so&quot;&#10;but &lt;so&gt; \ufffd[1m">x.yaml:3:7: not &quot;so&quot;\nbut &lt;so&gt; \ufffd[1m</failure>',
    );
    expect(out).toContain('tests="1" failures="0" errors="0" skipped="1"');
    expect(out).toContain('<skipped message="no media &amp; no time"/>');
    expect(out.match(/<flakyFailure type="failed" message="/g)).toHaveLength(2);
  });

  it('has a case without a verdict as an error, not as a failure', () => {
    const { out } = shown('junit');
    expect(out).toContain('<testsuite name="four" file="a:b,four.yaml" tests="1" failures="0" errors="1" skipped="0"');
    expect(out).toContain('<error type="inconclusive" message="inconclusive: step 2 was late&#10;not so">x.yaml:3:7: ');
  });
});

it('annotations escape what would end a property', () => {
  expect(shown('github').out).toContain('::error file=x.yaml,line=3,col=7,title=direct/one [ring 2s]::not "so"%0Abut');
  expect(shown('github').out).toContain('title=four::inconclusive: step 2 was late%0Anot so\n');
  expect(shown('github').out).toContain('::warning file=a%3Ab%2Cthree.yaml,title=three::flaky, at first: at first');
});

describe('several reporters', () => {
  it('are named with commas or one by one, each once', () => {
    expect(parseReporters('html, junit', parseReporters('list,html'))).toEqual(['list', 'html', 'junit']);
    expect(() => parseReporters('list,pdf')).toThrow(
      'The reporters are list, json, junit, github, html, with commas between them.',
    );
  });

  it('share a terminal: machine-readable output goes into files, and one shows the progress', () => {
    const { out, err } = shown('list', 'html', 'junit', 'json');
    expect(out).toContain('2 passed (1 flaky), 1 failed, 1 inconclusive, 1 skipped | real');
    expect(out).not.toMatch(/<testsuites|"version"/);
    for (const name of ['report.html', 'junit.xml', 'results.json']) expect(out).toContain(join(folder, name));
    expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toBe(shown('junit').out);
    expect(readFileSync(join(folder, 'results.json'), 'utf8')).toBe(shown('json').out);
    expect(err).toBe(shown('list').err);
  });
});

describe('the list', () => {
  it('has the command that runs a failed case again, quoted for a shell', () => {
    expect(shown('list').out).toContain(
      "        ringback run 'a:b,direct/one.yaml' --case 'ring 2s' --seed 1 --world real\n",
    );
  });

  it('has a case without a verdict as late, with what was late and what was not yet observed', () => {
    const { out } = shown('list');
    expect(out).toMatch(/^ late four /m);
    expect(out).toContain('        x.yaml:3:7\n        inconclusive: step 2 was late\n        not so\n');
  });
});

describe('the list at a terminal', () => {
  /** Returns the output of the list for these results. */
  function listed(results: readonly CaseResult[], environment: Record<string, string> = {}, isTTY = true): string {
    let out = '';
    const write = (text: string) => void (out += text);
    const reporter = listReporter({ out: { write, isTTY }, err: { write: () => undefined } }, '', environment);
    const count = (state: CaseResult['state']) => results.filter((one) => one.state === state).length;
    reporter.began?.(results.length, 'virtual');
    results.forEach((one, at) => reporter.result?.(one, { done: at + 1, total: results.length }));
    reporter.ended({
      ...{ world: 'virtual', passed: count('passed'), failed: count('failed'), inconclusive: 0, flaky: 0 },
      ...{ skipped: 435, wallMs: 1, simulatedMs: 1, results, proves: [], complete: true },
    });
    return out;
  }
  const failed = result('two', { state: 'failed', failure });

  it('repeats the failures of several cases at the end, but not one that is directly above', () => {
    const end = listed([failed, result('three')], {}, false).split('\nnot passed:\n')[1];
    expect(listed([result('three'), failed], {}, false)).not.toContain('not passed:');
    expect(end).toMatch(/^ FAIL two .*\n {8}x\.yaml:3:7\n {8}not "so"\n[^]*\n\n1 passed, 1 failed \| /);
    expect(listed([failed], {}, false)).not.toContain('not passed:');
    expect(listed([result('two'), result('three')], {}, false)).not.toContain('not passed:');
  });

  it('counts no requirements where none are shown, and no cases that the options exclude', () => {
    expect(
      listed([result('two')], {}, false)
        .split('\n')
        .at(-2),
    ).toBe('1 passed, 0 failed | 1ms simulated in 1ms');
  });

  it('has colours at a terminal. FORCE_COLOR decides first, then NO_COLOR', () => {
    const isColoured = (...given: [Record<string, string>, boolean]) =>
      listed([failed], ...given).includes('\u001b[31m');
    expect(isColoured({}, true)).toBe(true);
    expect(isColoured({}, false)).toBe(false);
    expect(isColoured({ NO_COLOR: '1' }, true)).toBe(false);
    expect(isColoured({ TERM: 'dumb' }, true)).toBe(false);
    expect(isColoured({ FORCE_COLOR: '1', NO_COLOR: '1' }, false)).toBe(true);
    expect(isColoured({ FORCE_COLOR: '0' }, true)).toBe(false);
  });

  it('writes control characters of names, reasons and values as escapes', () => {
    const name = 'two\u001b]0;title\u0007\r\u009b2K\u202e';
    const out = listed(
      [result(name, { state: 'failed', failure }), result(name, { state: 'skipped', skipped: name })],
      {},
      false,
    );
    expect(out).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    expect(out).toContain(String.raw`two\u{1b}]0;title\u{7}\u{d}\u{9b}2K\u{202e}`);
    expect(out).toContain(String.raw`but <so> \u{1b}[1m`);
  });
});
