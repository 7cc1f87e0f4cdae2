import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow after a collection of the old generation, percent of what the collection left. */
const GROWTH = 200;

/**
 * Lets V8 collect the old generation less often, for a process that is a server or its load generator. Dials wait for up
 * to a tenth of a second while V8 marks the old generation, and a generator dials late. The heap then grows to three times
 * what the last collection left. By default it grows by about a third. The largest heap stays the same. Applies to the
 * whole process.
 */
export function collectRarely(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
