/** A media path that can be cut, and that records the session descriptions. */
import type { MediaLeg, MediaPath } from '../../../sim/exchange/ports.ts';
import { createPathProxy, type PathProxy } from '../../../sim/media/path-proxy.ts';
import { nodeClock, nodeRandom } from '../../../sim/server/node-ports.ts';

export interface SeenDescription {
  readonly from: MediaLeg;
  readonly kind: 'offer' | 'answer';
  /** A value that changes with every ICE restart, and only then. */
  readonly ufrag: string;
}

export interface CuttablePath {
  /** The port for the exchange. Each call has a separate path. The newest path is the one that is cut. */
  readonly mediaPath: () => MediaPath;
  readonly seen: readonly SeenDescription[];
  cut(): void;
  restore(): void;
}

export function createCuttablePath(): CuttablePath {
  const seen: SeenDescription[] = [];
  let path: PathProxy | undefined;
  const current = () => {
    if (!path) throw new Error('there is no call whose path could be cut');
    return path;
  };
  return {
    seen,
    mediaPath() {
      const made = (path = createPathProxy({ clock: nodeClock, random: nodeRandom }));
      return {
        rewriteCandidate: (candidate, from) => made.rewriteCandidate(candidate, from),
        dispose: () => made.dispose(),
        rewriteSdp(sdp, from) {
          // An offer lets the other side choose who starts the handshake.
          const kind = sdp.includes('a=setup:actpass') ? 'offer' : 'answer';
          seen.push({ from, kind, ufrag: /a=ice-ufrag:(\S+)/.exec(sdp)?.[1] ?? '' });
          return made.rewriteSdp(sdp, from);
        },
      };
    },
    cut: () => current().cut(),
    restore: () => current().restore(),
  };
}
