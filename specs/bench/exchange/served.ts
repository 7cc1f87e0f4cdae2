/** The server's side of a bench, in a child process: it reports its URL, its processor time and its heap. */

/** What a server reports. `cpuMs` is milliseconds of user and system time, `heapBytes` the used heap after a collection. */
export interface ServerReport {
  readonly cpuMs: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
}

/** Reports the URL of the started server, and its use of the processor for each message of the bench. */
export function serveBench(url: string): void {
  process.on('message', (what) => {
    if (what === 'heap') globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ cpuMs: (user + system) / 1_000, heapBytes: heapUsed, residentBytes: rss } satisfies ServerReport);
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ url });
}
