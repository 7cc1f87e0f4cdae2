import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandError } from '../../../cli/command-error.ts';
import { run } from '../../../cli/commands/run.ts';
import { EXIT } from '../../../cli/exit-codes.ts';
import { fileWatcher } from '../../../cli/scenarios/file-watcher.ts';
import type { FoundScenarios } from '../../../cli/scenarios/find-scenarios.ts';
import type { ScenarioFile } from '../../../cli/scenarios/scenario-file.ts';
import { watchScenarios, type WatchPorts } from '../../../cli/scenarios/watch-scenarios.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { command } from './support/command.ts';

const scenarioFile = (name: string, ...fragments: string[]): ScenarioFile => ({
  scenario: { scenario: name } as Scenario,
  faults: [],
  uses: [`/s/${name}.yaml`, ...fragments],
});
const broken = (name: string): ScenarioFile => ({
  faults: [{ file: `${name}.yaml`, line: 3, column: 5, message: 'no good' }],
  uses: [`/s/${name}.yaml`],
});
const foundIn = (files: readonly ScenarioFile[]): FoundScenarios => ({
  scenarios: files.flatMap(({ scenario }) => scenario ?? []),
  faults: files.flatMap(({ faults }) => faults),
  files,
});

const SHARED = '/s/fragments/shared.yaml';

/** A user who watches: the keys, the changes, and the runs. */
function watching(files: readonly ScenarioFile[]) {
  const state = {
    files,
    failing: [] as string[],
    missing: false,
    runs: [] as string[][],
    printed: [] as string[],
    folders: [] as (readonly string[])[],
    open: 0,
    timers: [] as (() => void)[],
  };
  let changed: (path: string) => void = () => undefined;
  let pressed: (key: string) => void = () => undefined;
  let interrupted: () => void = () => undefined;
  let finish: (() => void) | undefined;
  let isHeld = false;
  let signal: AbortSignal | undefined;
  const opened = (undo: () => void = () => undefined) => {
    state.open += 1;
    return () => {
      state.open -= 1;
      undo();
    };
  };
  const ports: WatchPorts = {
    async find() {
      if (state.missing) throw new CommandError('No scenario file matches s.', EXIT.usage);
      return foundIn(state.files);
    },
    async run(chosen, given) {
      signal = given;
      const names = chosen.map(({ scenario }) => scenario);
      state.runs.push(names);
      if (isHeld) await new Promise<void>((resolve) => (finish = resolve));
      const failed = names.filter((name) => state.failing.includes(name));
      return { failed, code: failed.length > 0 ? EXIT.failed : EXIT.ok };
    },
    files: {
      watch(folders, told) {
        state.folders.push(folders);
        changed = told;
        return opened();
      },
    },
    keys: {
      isThere: true,
      listen(told) {
        pressed = told;
        return opened();
      },
    },
    after(_, call) {
      state.timers = [call];
      return () => (state.timers = []);
    },
    onInterrupt(told) {
      interrupted = told;
      return opened();
    },
    print: (line) => void state.printed.push(line),
  };
  const code = watchScenarios(ports);
  /** Waits until nothing more happens. */
  const settled = async () => {
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    state,
    code,
    settled,
    async press(key: string) {
      await settled();
      pressed(key);
      await settled();
    },
    /** Makes several changes, and then none for a while. */
    async change(...paths: string[]) {
      await settled();
      for (const path of [...paths, ...paths]) changed(path);
      state.timers.splice(0).forEach((call) => call());
      await settled();
    },
    interrupt: () => interrupted(),
    hold: () => (isHeld = true),
    letGo() {
      isHeld = false;
      finish?.();
      return settled();
    },
    isEnded: () => signal?.aborted,
  };
}

describe('watching scenarios', () => {
  it('runs all, then what changed: the file itself, or a fragment that it includes', async () => {
    const it_ = watching([scenarioFile('a', SHARED), scenarioFile('b', SHARED), scenarioFile('c')]);
    await it_.change('/s/c.yaml');
    await it_.change(SHARED);
    await it_.change('/s/c.yaml', '/s/a.yaml');
    expect(it_.state.runs).toEqual([['a', 'b', 'c'], ['c'], ['a', 'b'], ['a', 'c']]);
    expect(it_.state.folders).toEqual([['/s', '/s/fragments']]);
    await it_.press('q');
    expect(await it_.code).toBe(EXIT.ok);
    expect(it_.state.open).toBe(0);
  });

  it('does not run for a file that no scenario includes, and runs new files', async () => {
    const it_ = watching([scenarioFile('a')]);
    await it_.change('/s/notes.txt');
    expect(it_.state.runs).toEqual([['a']]);
    it_.state.files = [scenarioFile('a'), scenarioFile('b', '/t/far.yaml')];
    await it_.change('/s/b.yaml');
    expect(it_.state.runs).toEqual([['a'], ['b']]);
    expect(it_.state.folders).toEqual([['/s'], ['/s', '/t']]);
    await it_.press('q');
    expect([await it_.code, it_.state.open]).toEqual([EXIT.ok, 0]);
  });

  it('runs all, the failed ones, or the same again, by a key; other keys do nothing', async () => {
    const it_ = watching([scenarioFile('a'), scenarioFile('b')]);
    it_.state.failing = ['b'];
    await it_.press('f');
    await it_.press('x');
    await it_.change('/s/a.yaml');
    await it_.press('enter');
    await it_.press('f');
    it_.state.failing = [];
    await it_.press('a');
    await it_.press('f');
    expect(it_.state.runs).toEqual([['a', 'b'], ['b'], ['a'], ['a'], ['b'], ['a', 'b']]);
    expect(it_.state.printed).toContain('No scenario failed.');
    await it_.press('q');
    expect(await it_.code).toBe(EXIT.ok);
  });

  it('exits as a run would: 1 while a case fails that did not run last, 3 while a file is invalid', async () => {
    const failing = watching([scenarioFile('a'), scenarioFile('b')]);
    failing.state.failing = ['b'];
    await failing.change('/s/a.yaml');
    await failing.press('q');
    expect(await failing.code).toBe(EXIT.failed);
    const invalid = watching([scenarioFile('a'), broken('b')]);
    await invalid.press('q');
    expect([await invalid.code, invalid.state.printed[0]]).toEqual([EXIT.invalid, 'b.yaml:3:5: no good']);
  });

  it('runs a file again that was invalid, and reports the fault meanwhile', async () => {
    const it_ = watching([scenarioFile('a')]);
    await it_.settled();
    it_.state.files = [broken('a')];
    await it_.change('/s/a.yaml');
    expect(it_.state.printed).toContain('a.yaml:3:5: no good');
    it_.state.missing = true;
    await it_.change('/s/a.yaml');
    expect(it_.state.printed).toContain('No scenario file matches s.');
    it_.state.missing = false;
    it_.state.files = [scenarioFile('a')];
    await it_.change('/s/a.yaml');
    expect(it_.state.runs).toEqual([['a'], ['a']]);
    await it_.press('q');
    expect(await it_.code).toBe(EXIT.ok);
  });

  it('handles changes during a run after it', async () => {
    const it_ = watching([scenarioFile('a'), scenarioFile('b'), scenarioFile('c')]);
    it_.hold();
    await it_.change('/s/a.yaml');
    await it_.change('/s/b.yaml');
    expect(it_.state.runs).toHaveLength(1);
    await it_.letGo();
    expect(it_.state.runs).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b'],
    ]);
    await it_.press('q');
    await it_.code;
  });

  it('ends at Ctrl-C, also in a run, and leaves nothing open', async () => {
    for (const end of ['key', 'signal'] as const) {
      const it_ = watching([scenarioFile('a')]);
      it_.hold();
      await it_.settled();
      if (end === 'key') await it_.press('ctrl-c');
      else it_.interrupt();
      expect(it_.isEnded()).toBe(true);
      // Later changes have no effect.
      await it_.change('/s/a.yaml');
      await it_.letGo();
      expect([await it_.code, it_.state.open, it_.state.runs.length]).toEqual([EXIT.interrupted, 0, 1]);
    }
  });
});

describe('ringback run --watch', () => {
  it.each([['--shard', '1/2'], ['--repeat', '3'], ['--last-failed']])(
    'cannot be combined with %s',
    async (...words) => {
      const module = {
        declare: () =>
          run
            .declare(() => undefined)
            .exitOverride()
            .configureOutput({ writeErr: () => undefined }),
      };
      await expect(command(module, '--watch', ...words)).rejects.toThrow(/'--watch' cannot be used with option '--/);
    },
  );
});

describe('the watcher of files', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ringback-watch-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('emits the whole path of each written file of a folder, until it is closed', async () => {
    const path = join(folder, 'a.yaml');
    let undo: () => void = () => undefined;
    const told = await new Promise<string>((resolve) => {
      undo = fileWatcher.watch([folder], resolve);
      writeFileSync(path, 'scenario: a\n');
    });
    undo();
    expect(told).toBe(path);
  });

  it('reports a folder that cannot be watched', () => {
    const none = join(folder, 'none');
    expect(() => fileWatcher.watch([folder, none], () => undefined)).toThrow(`${none} cannot be watched`);
  });
});
