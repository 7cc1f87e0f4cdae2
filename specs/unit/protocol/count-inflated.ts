/** Counts what the inflater of the sdp codec produces: a bound on memory that no busy machine changes. */
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
