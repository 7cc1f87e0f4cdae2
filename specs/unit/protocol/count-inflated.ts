/** Counts the output of the inflater of the sdp codec: a limit on memory that does not depend on the machine. */
import { ZStream } from 'pako';

/** Counts the bytes that zlib writes from now on, until it is disposed. */
export function countInflated(): Disposable & { bytes(): number } {
  const written = new Map<ZStream, number>();
  // A new stream sets its counter to 0, and finds this property in place of a field.
  Object.defineProperty(ZStream.prototype, 'total_out', {
    configurable: true,
    get(this: ZStream) {
      return written.get(this);
    },
    set(this: ZStream, bytes: number) {
      written.set(this, bytes);
    },
  });
  return {
    bytes: () => [...written.values()].reduce((sum, bytes) => sum + bytes, 0),
    [Symbol.dispose]: () => void Reflect.deleteProperty(ZStream.prototype, 'total_out'),
  };
}
