/** Finds import cycles: one for each set of files that reach each other. */
import type { Edge } from './import-graph.ts';

/** Returns the shortest path from `from` to `to` inside `within`, with both ends. */
function shortestPath(next: ReadonlyMap<string, readonly string[]>, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [from];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    for (const target of next.get(file) ?? []) {
      if (target === to) {
        const path = [to];
        for (let step: string | undefined = file; step !== undefined; step = cameFrom.get(step)) path.unshift(step);
        return path;
      }
      if (target !== from && !cameFrom.has(target)) {
        cameFrom.set(target, file);
        queue.push(target);
      }
    }
  }
  return undefined;
}

/** Returns each cycle as a list of files, with the first one repeated at the end. A file is in one cycle at most. */
export function findCycles(edges: readonly Edge[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const told = new Set<string>();
  const cycles: string[][] = [];
  for (const file of [...next.keys()].toSorted()) {
    if (told.has(file)) continue;
    const cycle = shortestPath(next, file, file);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of cycle) told.add(member);
  }
  return cycles;
}
