/** The progress of a stage, from the lines of its runner: counts, running tests, and the time since the last end. */
import type { ResultLine, TestResult, TestState } from './results.ts';

/** A test that has started and not ended. */
interface RunningTest {
  readonly file: string;
  readonly title: string;
  readonly since: number;
}

const keyOf = ({ file, title }: { readonly file: string; readonly title: string }) => `${file}\n${title}`;

export class StageProgress {
  readonly #began: number;
  readonly #counts: Record<TestState, number> = { passed: 0, failed: 0, skipped: 0 };
  readonly #running = new Map<string, RunningTest>();
  #total: number | undefined;
  #isEstimate = false;
  readonly #hasTests: boolean;
  #lastEnd: number;

  /** Starts at a moment of a monotonic clock, in milliseconds, as all moments here are. */
  constructor(now: number, hasTests: boolean) {
    this.#began = now;
    this.#hasTests = hasTests;
    this.#lastEnd = now;
  }

  /** Adds a line. */
  take(line: ResultLine, now: number): void {
    if ('state' in line) this.#end(line, now);
    else if (line.event === 'start') {
      this.#running.set(keyOf(line), { file: line.file, title: line.title, since: now });
    } else {
      this.#total = line.tests;
      this.#isEstimate = line.isEstimate ?? false;
    }
  }

  /** Records output of the stage, which shows that a stage without tests is alive. */
  printed(now: number): void {
    if (!this.#hasTests) this.#lastEnd = now;
  }

  get counts(): Readonly<Record<TestState, number>> {
    return this.#counts;
  }

  get done(): number {
    const { passed, failed, skipped } = this.#counts;
    return passed + failed + skipped;
  }

  /** Formats `12 of 31 tests`, `400 of about 3,700 tests`. Empty while the number is unknown. */
  get text(): string {
    if (this.#total === undefined) return '';
    const total = Math.max(this.#total, this.done).toLocaleString('en');
    return `${this.done.toLocaleString('en')} of ${this.#isEstimate ? 'about ' : ''}${total} tests`;
  }

  /** Returns the milliseconds that the stage still needs, by its share of tests. Undefined when too few have ended. */
  left(now: number): number | undefined {
    const share = this.#total ? this.done / Math.max(this.#total, this.done) : 0;
    return share < 0.1 ? undefined : ((now - this.#began) * (1 - share)) / share;
  }

  /** Returns why the stage must be stopped when no test has ended for `limitMs`, with the running tests. */
  hanging(now: number, limitMs: number): string | undefined {
    if (now - this.#lastEnd < limitMs) return undefined;
    const minutes = `${Math.round(limitMs / 60_000)} minutes`;
    if (!this.#hasTests) return `it has printed nothing for ${minutes}`;
    const tests = [...this.#running.values()].map(
      ({ file, title, since }) => `${file}: ${title} (for ${Math.round((now - since) / 1000)} s)`,
    );
    const running = tests.length === 0 ? 'no test was running' : `still running: ${tests.join('; ')}`;
    return `no test has finished for ${minutes}; ${running}`;
  }

  #end(result: TestResult, now: number): void {
    this.#counts[result.state] += 1;
    this.#running.delete(keyOf(result));
    this.#lastEnd = now;
  }
}
