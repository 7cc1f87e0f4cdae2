import type { MediaPath } from '../exchange/ports.ts';
import { createPathProxy, type PathProxy, type PathProxyOptions } from './path-proxy.ts';

/** The media paths of all calls, each through a proxy, so that a test can cut any of them. */
export interface SwitchedPaths {
  /** Opens the path of a new call. */
  open(callId: string): MediaPath;
  /** Drops all packets of a call from now on. Does nothing for a call that has ended. */
  cut(callId: string): void;
  /** Forwards all packets of a call again. */
  restore(callId: string): void;
}

export function createSwitchedPaths(options: PathProxyOptions): SwitchedPaths {
  const paths = new Map<string, PathProxy>();
  return {
    open(callId) {
      const path = createPathProxy(options);
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
