import type { Clock } from '../../../common/clock.ts';

const LONGEST_MS = 8_000;

/**
 * Resolves to whether two peers within this page connect by WebRTC. Some settings and extensions of a browser forbid
 * this. The result does not depend on the network.
 */
export async function canConnect(clock: Pick<Clock, 'after'>): Promise<boolean> {
  if (!('RTCPeerConnection' in globalThis)) return false;
  const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
  try {
    return await new Promise<boolean>((resolve, reject) => {
      const limit = clock.after(LONGEST_MS, () => resolve(false));
      const channel = one.createDataChannel('loopback');
      channel.addEventListener('open', () => {
        limit.cancel();
        resolve(true);
      });
      pass(one, other);
      pass(other, one);
      describe(one, other).catch(reject);
    });
  } finally {
    one.close();
    other.close();
  }
}

function pass(from: RTCPeerConnection, to: RTCPeerConnection): void {
  from.addEventListener('icecandidate', ({ candidate }) => {
    // A candidate that arrives after the end has no use.
    if (candidate !== null) to.addIceCandidate(candidate).catch(() => undefined);
  });
}

async function describe(one: RTCPeerConnection, other: RTCPeerConnection): Promise<void> {
  await one.setLocalDescription();
  if (one.localDescription !== null) await other.setRemoteDescription(one.localDescription);
  await other.setLocalDescription();
  if (other.localDescription !== null) await one.setRemoteDescription(other.localDescription);
}
