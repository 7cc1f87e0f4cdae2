/** Finds import cycles, between files and between folders: one for each set that reach each other. */
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
  const found = new Set<string>();
  const cycles: string[][] = [];
  for (const file of [...next.keys()].toSorted()) {
    if (found.has(file)) continue;
    const cycle = shortestPath(next, file, file);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of cycle) found.add(member);
  }
  return cycles;
}

/**
 * Returns the cycles between the direct children of a folder: its folders, and the files that it holds itself. An
 * import between two files is one between the children that hold them. A cycle of files alone is not among them.
 */
export function findFolderCycles(edges: readonly Edge[], folder: string): string[][] {
  const childOf = (file: string) =>
    file.startsWith(`${folder}/`) ? `${folder}/${file.slice(folder.length + 1).replace(/\/.*$/, '')}` : undefined;
  const between = edges.flatMap(({ line, ...edge }) => {
    const [from, to] = [childOf(edge.from), childOf(edge.to)];
    return from === undefined || to === undefined || from === to ? [] : [{ from, to, line }];
  });
  return findCycles(between).filter((cycle) => cycle.some((child) => !/\.\w+$/.test(child)));
}
