/** Counts the output of the inflater of the sdp codec: a limit on memory that does not depend on the machine. */
import { Inflate } from 'pako';
import { vi } from 'vitest';

/** The state of zlib, which pako keeps on each inflater but not in its types. */
interface Stream {
  readonly strm: { readonly total_out: number };
}

/** Counts the bytes that are inflated from now on, until it is disposed. */
export function countInflated(): Disposable & { bytes(): number } {
  const push = vi.spyOn(Inflate.prototype, 'push');
  return {
    bytes: () => push.mock.contexts.reduce<number>((sum, inflater) => sum + (inflater as Stream).strm.total_out, 0),
    [Symbol.dispose]: () => push.mockRestore(),
  };
}
