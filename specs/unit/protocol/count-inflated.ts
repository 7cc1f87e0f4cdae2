/**
 * Counts the output of the inflaters of the sdp codecs: a limit on memory that does not depend on the machine. The one
 * of the library counts what it writes. The one of Node counts the most that it may write.
 */
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';
import { ZStream } from 'pako';

/** Counts the bytes of both inflaters from now on, until it is disposed. */
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
  const unzip = zlib.unzipSync;
  let allowed = 0;
  zlib.unzipSync = (input, options) => {
    allowed += options?.maxOutputLength ?? Infinity;
    return unzip(input, options);
  };
  syncBuiltinESMExports();
  return {
    bytes: () => [...written.values()].reduce((sum, bytes) => sum + bytes, allowed),
    [Symbol.dispose]() {
      Reflect.deleteProperty(ZStream.prototype, 'total_out');
      zlib.unzipSync = unzip;
      syncBuiltinESMExports();
    },
  };
}
