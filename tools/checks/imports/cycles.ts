/** Finds import cycles: one for each knot of files that reach each other. */
import type { Edge } from './import-graph.ts';

/** The shortest way from `from` to `to` that stays inside `within`, both ends included. */
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

/** Each cycle as the files along it, the first one repeated at the end. Files of a cycle already told are not told again. */
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
