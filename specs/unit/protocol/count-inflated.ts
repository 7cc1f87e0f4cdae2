/** Counts the output of the inflater of the server: a limit on memory that does not depend on the machine. */
import { syncBuiltinESMExports } from 'node:module';
import zlib from 'node:zlib';

/** Counts the most bytes that the inflater of Node may write from now on, until it is disposed. */
export function countInflated(): Disposable & { bytes(): number } {
  const unzip = zlib.unzipSync;
  let allowed = 0;
  zlib.unzipSync = (input, options) => {
    allowed += options?.maxOutputLength ?? Infinity;
    return unzip(input, options);
  };
  syncBuiltinESMExports();
  return {
    bytes: () => allowed,
    [Symbol.dispose]() {
      zlib.unzipSync = unzip;
      syncBuiltinESMExports();
    },
  };
}
