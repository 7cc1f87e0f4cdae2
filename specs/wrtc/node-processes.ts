import type { Terminal } from './terminal.ts';

/** Returns the processes of the nodes of `ringback cluster --log-level info`, by the names that they have in the log. */
export function nodeProcesses({ out, err }: Pick<Terminal, 'out' | 'err'>): ReadonlyMap<string, number> {
  const names = [...err.matchAll(/"node":"(n\w+)"[^\n]*"this server is a node of a cluster"/g)];
  const pids = [...out.matchAll(/^node \d+ .*process (\d+)$/gm)];
  return new Map(names.map(([, name = ''], at) => [name, Number(pids[at]?.[1])]));
}
