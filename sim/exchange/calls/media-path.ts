/**
 * The way media takes between the legs of one call. The exchange shows it every session description and candidate it
 * relays; a path that changes nothing lets the legs talk directly, one that leads them through proxies can break the call.
 */
export type MediaLeg = 'caller' | 'callee';

export interface MediaPath {
  /** The session description to pass on, sent by `from`. */
  rewriteSdp(sdp: string, from: MediaLeg): string | Promise<string>;
  /** The candidate to pass on, sent by `from`; null when it is not passed on. */
  rewriteCandidate(candidate: string, from: MediaLeg): Promise<string | null>;
  /** Ends the path with its call. */
  dispose(): void;
}
