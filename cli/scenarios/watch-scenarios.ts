/** Runs scenarios, and runs changed ones again until the user quits. */
import { dirname } from 'node:path';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import type { Keyboard } from '../keyboard.ts';
import type { FileWatcher } from './file-watcher.ts';
import type { FoundScenarios } from './find-scenarios.ts';
import { shownPath } from './shown-path.ts';

export interface WatchPorts {
  /** Reads all selected scenarios anew. */
  find(): Promise<FoundScenarios>;
  /** Runs some scenarios. Returns the names of those that failed, and the exit code of a run without watching. */
  run(
    chosen: readonly Scenario[],
    signal: AbortSignal,
  ): Promise<{ readonly failed: readonly string[]; readonly code: number }>;
  readonly files: FileWatcher;
  readonly keys: Keyboard;
  /** Calls back after a delay. Returns the function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `interrupted` at Ctrl-C or SIGTERM. Returns the function that removes the listener. */
  onInterrupt(interrupted: () => void): () => void;
  print(line: string): void;
}

/** The next run that the user or a change asked for. */
type Wish =
  | { readonly kind: 'all' | 'failed' | 'again' | 'quit' | 'interrupted' }
  | { readonly kind: 'changed'; readonly paths: ReadonlySet<string> };

/** The delay after a change, because an editor writes a file several times and a change of branch writes many files. */
const SETTLING_MS = 100;

const KEYS: Readonly<Record<string, Wish['kind'] & ('all' | 'failed' | 'again' | 'quit' | 'interrupted')>> = {
  a: 'all',
  f: 'failed',
  enter: 'again',
  q: 'quit',
  'ctrl-c': 'interrupted',
};

/** Returns the exit code: that of a run with the current files, or that of Ctrl-C. */
export async function watchScenarios(ports: WatchPorts): Promise<number> {
  const wishes = new Wishes(ports);
  const watched = new WatchedFolders(ports.files, (path) => wishes.changed(path));
  let code: number = EXIT.ok;
  let before: FoundScenarios['files'] = [];
  let last: readonly string[] = [];
  let failed: readonly string[] = [];
  try {
    for (let wish: Wish = { kind: 'all' }; ; wish = await wishes.next()) {
      if (wish.kind === 'quit') return failed.length > 0 && code === EXIT.ok ? EXIT.failed : code;
      if (wish.kind === 'interrupted') return EXIT.interrupted;
      const found = await foundBy(ports);
      if (!found) continue;
      watched.follow(found.files);
      for (const { file, line, column, message } of found.faults) ports.print(`${file}:${line}:${column}: ${message}`);
      const chosen = chosenBy(wish, found, { before, last, failed });
      before = found.files;
      if (chosen.length > 0) {
        if (wish.kind === 'changed') ports.print(`\n${changedOf(wish.paths, found.files)} changed`);
        const outcome = await ports.run(chosen, wishes.begin());
        wishes.end();
        code = outcome.code;
        last = chosen.map(({ scenario }) => scenario);
        failed = [...failed.filter((name) => !last.includes(name)), ...outcome.failed];
      } else if (wish.kind === 'failed') ports.print('No scenario failed.');
      if (found.faults.length > 0) code = EXIT.invalid;
      if (chosen.length > 0 || found.faults.length > 0 || wish.kind !== 'changed')
        ports.print(hint(found, ports.keys.isThere));
    }
  } finally {
    watched.close();
    wishes.close();
  }
}

/** Returns undefined when no scenario can be read. Reports it, and waits for the files to come back. */
async function foundBy({ find, print }: WatchPorts): Promise<FoundScenarios | undefined> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    print(error.message);
    return undefined;
  }
}

function chosenBy(
  wish: Wish,
  { scenarios, files }: FoundScenarios,
  {
    before,
    last,
    failed,
  }: {
    readonly before: FoundScenarios['files'];
    readonly last: readonly string[];
    readonly failed: readonly string[];
  },
): readonly Scenario[] {
  const named = (names: readonly string[]) => scenarios.filter(({ scenario }) => names.includes(scenario));
  if (wish.kind === 'failed') return named(failed);
  if (wish.kind === 'again') return last.length > 0 ? named(last) : scenarios;
  if (wish.kind !== 'changed') return scenarios;
  // Files of the previous run count too: a deleted fragment is not in the current list.
  const touched = [...files, ...before].filter(({ uses }) => uses.some((path) => wish.paths.has(path)));
  return named(touched.flatMap(({ scenario }) => scenario?.scenario ?? []));
}

/** Returns the changed files that a scenario uses. Temporary files of an editor are not among them. */
const changedOf = (paths: ReadonlySet<string>, files: FoundScenarios['files']): string =>
  [...paths]
    .filter((path) => files.some(({ uses }) => uses.includes(path)))
    .map(shownPath)
    .join(', ') || 'something';

function hint({ files }: FoundScenarios, hasKeys: boolean): string {
  const count = new Set(files.flatMap(({ uses }) => uses)).size;
  const keys = hasKeys ? 'Enter runs these again, a runs all, f runs the failed ones, q quits' : 'Ctrl-C quits';
  return `watching ${count} ${count === 1 ? 'file' : 'files'}: ${keys}`;
}

/** Watches the folders of every file that was read. Renewed only when folders are added. */
class WatchedFolders {
  readonly #files: FileWatcher;
  readonly #changed: (path: string) => void;
  #folders: readonly string[] = [];
  #undo: () => void = () => undefined;

  constructor(files: FileWatcher, changed: (path: string) => void) {
    this.#files = files;
    this.#changed = changed;
  }

  follow(files: FoundScenarios['files']): void {
    const folders = [...new Set(files.flatMap(({ uses }) => uses.map(dirname)))];
    if (folders.every((folder) => this.#folders.includes(folder))) return;
    this.close();
    this.#folders = folders;
    this.#undo = this.#files.watch(folders, this.#changed);
  }

  close(): void {
    this.#undo();
  }
}

/** The requests of keys and changes, one after another. */
class Wishes {
  readonly #ports: WatchPorts;
  readonly #undo: readonly (() => void)[];
  readonly #paths = new Set<string>();
  #undoTimer: () => void = () => undefined;
  #waiting: ((wish: Wish) => void) | undefined;
  /** The request that arrived during a run. */
  #next: Wish | undefined;
  #running: AbortController | undefined;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
    this.#undo = [
      ports.onInterrupt(() => this.#wish({ kind: 'interrupted' })),
      ...(ports.keys.isThere ? [ports.keys.listen((key) => this.#pressed(key))] : []),
    ];
  }

  /** Begins a run, which the user can abort by quitting. */
  begin(): AbortSignal {
    this.#running = new AbortController();
    return this.#running.signal;
  }

  end(): void {
    this.#running = undefined;
  }

  next(): Promise<Wish> {
    const wish = this.#next;
    this.#next = undefined;
    return wish ? Promise.resolve(wish) : new Promise((resolve) => (this.#waiting = resolve));
  }

  changed(path: string): void {
    this.#paths.add(path);
    this.#undoTimer();
    this.#undoTimer = this.#ports.after(SETTLING_MS, () => {
      const paths = new Set(this.#paths);
      this.#paths.clear();
      this.#wish({ kind: 'changed', paths });
    });
  }

  close(): void {
    this.#undoTimer();
    for (const undo of this.#undo) undo();
  }

  #pressed(key: string): void {
    const kind = KEYS[key];
    if (kind !== undefined) this.#wish({ kind });
  }

  #wish(wish: Wish): void {
    const ends = wish.kind === 'quit' || wish.kind === 'interrupted';
    if (ends) this.#running?.abort();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(wish);
    else this.#next = ends ? wish : joined(this.#next, wish);
  }
}

/**
 * Merges two requests that arrived during a run: the later one wins, except that quit always wins and changes add up.
 */
function joined(former: Wish | undefined, wish: Wish): Wish {
  if (former?.kind === 'quit' || former?.kind === 'interrupted') return former;
  if (former?.kind === 'changed' && wish.kind === 'changed')
    return { kind: 'changed', paths: new Set([...former.paths, ...wish.paths]) };
  return wish;
}
