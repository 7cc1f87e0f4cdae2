/**
 * What a contract suite is made of. A suite is a list of cases without a test framework, so that it runs wherever an
 * implementation lives: in a unit test on the virtual ports, in a page of a browser, in a process with native media.
 */

export interface ContractCase<Subject> {
  readonly title: string;
  /** Resolves when the implementation keeps its promise; rejects with what it broke. */
  readonly run: (subject: Subject) => Promise<void>;
}

export type ContractSuite<Subject> = readonly ContractCase<Subject>[];

/** Lets milliseconds pass: the virtual clock is moved, a real one is waited for. */
export type Pass = (ms: number) => Promise<void>;

export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`broken: ${promise}`);
}

export function checkEqual(actual: unknown, expected: unknown, promise: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(seen === wanted, `${promise}: expected ${wanted}, got ${seen}`);
}

/** Resolves to what the promise rejected with; rejects when it did not. */
export async function rejection(promise: Promise<unknown>, what: string): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`broken: ${what} is refused`);
}

export const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : String(error);

let patience = 1;

/**
 * Multiplies each limit from now on by `factor`. A limit in real time depends on how fast the machine is; a page cannot measure that,
 * and is given the factor of tools/run/machine-factor.ts.
 */
export function setPatience(factor: number): void {
  patience = factor;
}

/** Passes time in small steps until it holds; rejects after `limitMs`, times the patience. */
export async function eventually(pass: Pass, holds: () => boolean, promise: string, limitMs = 5_000): Promise<void> {
  const step = 20;
  for (let passed = 0; !holds(); passed += step) {
    check(passed < limitMs * patience, `${promise}, within ${limitMs * patience} ms`);
    await pass(step);
  }
}

/** Waits for a promise that only settles while time passes. */
export async function within<T>(pass: Pass, promise: Promise<T>, what: string, limitMs = 5_000): Promise<T> {
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  await pass(0);
  await eventually(pass, () => settled, what, limitMs);
  return promise;
}
