import type { Terminal } from './terminal.ts';

/**
 * Returns the process of a node of `ringback cluster --log-level info`, by the name that it has in the log.
 *
 * @throws Error when the cluster has no such node.
 */
export function processOfNode({ out, err }: Pick<Terminal, 'out' | 'err'>, node: string): number {
  const names = [...err.matchAll(/"node":"(n\w+)"[^\n]*"this server is a node of a cluster"/g)];
  const pids = [...out.matchAll(/^node \d+ .*process (\d+)$/gm)];
  const pid = Number(pids[names.findIndex(([, name]) => name === node)]?.[1]);
  // 0 would be the group of this process.
  if (!(pid > 0)) throw new Error(`The cluster has no node "${node}".`);
  return pid;
}
