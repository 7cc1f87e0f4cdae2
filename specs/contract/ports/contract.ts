/**
 * The parts of a contract suite. A suite is a list of cases without a test framework, so it runs with each
 * implementation: in a unit test on the virtual ports, in a page of a browser, in a process with native media.
 */

export interface ContractCase<Subject> {
  readonly title: string;
  /** Resolves when the implementation meets the contract. Rejects with the requirement that it does not meet. */
  readonly run: (subject: Subject) => Promise<void>;
}

export type ContractSuite<Subject> = readonly ContractCase<Subject>[];

/** Lets milliseconds pass. It advances a virtual clock, and waits for a real one. */
export type Pass = (ms: number) => Promise<void>;

export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`broken: ${promise}`);
}

export function checkEqual(actual: unknown, expected: unknown, promise: string): void {
  const [seen, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  check(seen === wanted, `${promise}: expected ${wanted}, got ${seen}`);
}

/** Resolves with the reason of a rejected promise. Rejects when the promise resolves. */
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
 * Multiplies each later limit by `factor`. A limit in real time depends on the speed of the machine. A page cannot
 * measure that, so the test passes the factor of tools/run/machine-factor.ts.
 */
export function setPatience(factor: number): void {
  patience = factor;
}

/** Passes time in small steps until `holds` returns true. Rejects after `limitMs`, times the factor. */
export async function eventually(pass: Pass, holds: () => boolean, promise: string, limitMs = 5_000): Promise<void> {
  const step = 20;
  for (let passed = 0; !holds(); passed += step) {
    check(passed < limitMs * patience, `${promise}, within ${limitMs * patience} ms`);
    await pass(step);
  }
}

/** Passes time until a promise settles. */
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
