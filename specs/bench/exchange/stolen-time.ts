import { readFileSync } from 'node:fs';

/** A tick of the counters in /proc/stat, milliseconds: `getconf CLK_TCK` is 100 on every usual Linux. */
const TICK_MS = 10;

/**
 * Returns the time in which a host has run other machines although this one had work, milliseconds of all cores. 0 on a
 * system without /proc.
 */
export function stolenMs(): number {
  try {
    // The first line has the sums of all cores, the eighth number the stolen time (proc_stat(5)).
    const [sums = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
    return Number(sums.split(/ +/)[8] ?? 0) * TICK_MS;
  } catch {
    return 0;
  }
}
