import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow after a collection of the old generation, percent of what the collection left. */
const GROWTH = 200;

/**
 * Lets V8 collect the old generation less often, for a process that is a server. While V8 marks the old generation, dials
 * wait for up to a tenth of a second. By default the heap grows by about a third between two such collections, and then
 * to three times what the last one left. The largest heap stays the same. Applies to the whole process.
 */
export function collectRarely(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
