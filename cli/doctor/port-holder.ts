/** Which program holds a port. Only Linux says it, and only for programs that this user may see. */
import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';
/** The most processes that are looked at. */
const MOST_PROCESSES = 10_000;

/** Returns the program that listens at a port, as: node (process 1234). Null when it cannot be known. */
export async function holderOf(port: number): Promise<string | null> {
  try {
    const tables = await Promise.all(
      ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
    );
    const inodes = new Set(tables.flatMap((table) => inodesOf(table, port)));
    if (inodes.size === 0) return null;
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).slice(0, MOST_PROCESSES);
    for (const id of processes) {
      if (await holds(id, inodes)) return `${(await readFile(`/proc/${id}/comm`, 'utf8')).trim()} (process ${id})`;
    }
    return null;
  } catch {
    return null;
  }
}

/** Returns the sockets that listen at a port, from a table of the kernel (proc(5), /proc/net/tcp). */
export function inodesOf(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return local.endsWith(`:${wanted}`) && state === LISTENING && inode !== '0' ? [inode] : [];
  });
}

async function holds(id: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${id}/fd`;
  const names = await readdir(folder).catch(() => []);
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')));
  return links.some((link) => inodes.has(/^socket:\[(\d+)\]$/.exec(link)?.[1] ?? ''));
}
