/**
 * Measures how much slower this machine is than the one on which the limits of the tests were chosen. Tests of real media and of
 * browsers multiply each of their deadlines by this factor, so that a slow or busy machine has the time it needs.
 *
 * The factor is measured once, by the first process that asks for it. Child processes read it from the environment.
 */
import { gzipSync } from 'node:zlib';

/** The environment variable that hands the factor to child processes. A user may set it to skip the measurement. */
export const FACTOR_VARIABLE = 'RINGBACK_MACHINE_FACTOR';

/** The duration of one `sample` on the reference machine with nothing else running, in milliseconds. */
const REFERENCE_MS = 40;
const SAMPLES = 5;
/** A machine that is faster than the reference machine uses the limits of the reference machine. */
const SMALLEST = 1;
/** A machine above this factor cannot run a call in real time, and longer deadlines would only hide that. */
const LARGEST = 12;

/** Sorts and compresses numbers, and returns how long that took on the wall clock, in milliseconds. */
function sample(): number {
  const from = performance.now();
  let seed = 1;
  const numbers = Array.from({ length: 60_000 }, () => (seed = (seed * 48_271) % 2_147_483_647));
  gzipSync(JSON.stringify(numbers.toSorted((one, other) => one - other)));
  return performance.now() - from;
}

function measure(): number {
  // The first run compiles the code, and does not count.
  sample();
  const times = Array.from({ length: SAMPLES }, sample).toSorted((one, other) => one - other);
  const median = times[Math.floor(SAMPLES / 2)] ?? REFERENCE_MS;
  return Math.min(LARGEST, Math.max(SMALLEST, Math.round((median / REFERENCE_MS) * 10) / 10));
}

/** Returns the factor, from the environment or otherwise from a measurement of about half a second. */
export function machineFactor(): number {
  const given = Number(process.env[FACTOR_VARIABLE]);
  if (given >= SMALLEST && given <= LARGEST) return given;
  const factor = measure();
  process.env[FACTOR_VARIABLE] = String(factor);
  return factor;
}

/** Returns a deadline of the reference machine, in milliseconds, multiplied by the factor of this machine. */
export const scaled = (ms: number): number => Math.round(ms * machineFactor());
