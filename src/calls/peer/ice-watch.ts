import type { RtcPeerConnection } from '../platform/rtc.ts';

export type IceNews = 'iceConnected' | 'iceDisconnected' | 'iceFailed';

/**
 * What the two state properties of a peer connection say together, or null while they say nothing of note.
 * Chromium reports a failure only in `connectionState` (D04), so either may say it.
 */
export function iceNews(pc: Pick<RtcPeerConnection, 'connectionState' | 'iceConnectionState'>): IceNews | null {
  const { connectionState, iceConnectionState } = pc;
  if (connectionState === 'failed' || iceConnectionState === 'failed') return 'iceFailed';
  if (connectionState === 'disconnected' || iceConnectionState === 'disconnected') return 'iceDisconnected';
  if (connectionState === 'connected') return 'iceConnected';
  return null;
}

/** Tells each change of {@link iceNews} once; engines repeat themselves. */
export function watchIce(pc: RtcPeerConnection, tell: (news: IceNews) => void): void {
  let last: IceNews | null = null;
  const look = () => {
    const news = iceNews(pc);
    // A restart checks anew: if it fails too, that is news.
    if (news === null && last === 'iceFailed') last = null;
    if (news === null || news === last) return;
    last = news;
    tell(news);
  };
  pc.addEventListener('connectionstatechange', look);
  pc.addEventListener('iceconnectionstatechange', look);
}
