import type { RtcPeerConnection } from '../platform/rtc.ts';

export type IceNews = 'iceConnected' | 'iceDisconnected' | 'iceFailed';

/**
 * Returns the news of the two state properties of a peer connection. Null without news. Chromium reports a failure only
 * in `connectionState` (D04), so both are read.
 */
export function iceNews(pc: Pick<RtcPeerConnection, 'connectionState' | 'iceConnectionState'>): IceNews | null {
  const { connectionState, iceConnectionState } = pc;
  if (connectionState === 'failed' || iceConnectionState === 'failed') return 'iceFailed';
  if (connectionState === 'disconnected' || iceConnectionState === 'disconnected') return 'iceDisconnected';
  if (connectionState === 'connected') return 'iceConnected';
  return null;
}

/** Reports each change of {@link iceNews} once. Engines repeat their events. */
export function watchIce(pc: RtcPeerConnection, tell: (news: IceNews) => void): void {
  let last: IceNews | null = null;
  const look = () => {
    const news = iceNews(pc);
    // A restart checks the path again. Another failure is news.
    if (news === null && last === 'iceFailed') last = null;
    if (news === null || news === last) return;
    last = news;
    tell(news);
  };
  pc.addEventListener('connectionstatechange', look);
  pc.addEventListener('iceconnectionstatechange', look);
}
