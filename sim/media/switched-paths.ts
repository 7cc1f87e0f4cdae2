import type { MediaPath } from '../exchange/calls/media-path.ts';
import { createPathProxy, type PathProxy } from './path-proxy.ts';

/** The media paths of all calls, each led through a proxy, so that any of them can be cut. */
export interface SwitchedPaths {
  /** The path of a call that begins. */
  open(callId: string): MediaPath;
  /** From now on nothing passes. A call that is over is left alone. */
  cut(callId: string): void;
  /** Everything passes again. */
  restore(callId: string): void;
}

export function createSwitchedPaths(): SwitchedPaths {
  const paths = new Map<string, PathProxy>();
  return {
    open(callId) {
      const path = createPathProxy();
      paths.set(callId, path);
      return {
        rewriteSdp: (sdp, from) => path.rewriteSdp(sdp, from),
        rewriteCandidate: (candidate, from) => path.rewriteCandidate(candidate, from),
        dispose() {
          paths.delete(callId);
          path.dispose();
        },
      };
    },
    cut: (callId) => paths.get(callId)?.cut(),
    restore: (callId) => paths.get(callId)?.restore(),
  };
}
