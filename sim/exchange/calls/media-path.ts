/**
 * The path of media between the legs of one call. The exchange passes it every session description and candidate that
 * it relays. A path that changes nothing connects the legs directly. A path through proxies can simulate a broken
 * network.
 */
export type MediaLeg = 'caller' | 'callee';

export interface MediaPath {
  /** Returns the session description to relay, sent by `from`. */
  rewriteSdp(sdp: string, from: MediaLeg): string | Promise<string>;
  /** Returns the candidate to relay, sent by `from`. Null drops it. */
  rewriteCandidate(candidate: string, from: MediaLeg): Promise<string | null>;
  /** Disposes of the path when its call ends. */
  dispose(): void;
}
