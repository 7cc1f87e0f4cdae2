/** Two wrtc peers in one process, with or without a path between them that can be cut. */
import { wrtc } from '../../cli/headless/media/wrtc.ts';
import type { MediaLeg, MediaPath } from '../../sim/exchange/ports.ts';

export interface Peer {
  readonly pc: RTCPeerConnection;
  /** Every value of connectionState, in order. */
  readonly states: string[];
}

export interface Pair {
  readonly caller: Peer;
  readonly callee: Peer;
  /** Negotiates: offer from the caller, answer from the callee, candidates as they arrive. */
  negotiate(options?: { iceRestart?: boolean }): Promise<void>;
  close(): void;
}

export function createPair(path?: MediaPath): Pair {
  const caller = createPeer();
  const callee = createPeer();
  const held = new Map<RTCPeerConnection, RTCIceCandidateInit[]>();

  const carry = (from: Peer, to: Peer, leg: MediaLeg) => {
    from.pc.addEventListener('icecandidate', ({ candidate }) => {
      if (!candidate) return;
      void (async () => {
        const text = path ? await path.rewriteCandidate(candidate.candidate, leg) : candidate.candidate;
        if (text === null) return;
        const init = { candidate: text, sdpMid: candidate.sdpMid, sdpMLineIndex: candidate.sdpMLineIndex };
        const waiting = held.get(to.pc);
        if (waiting) waiting.push(init);
        else await to.pc.addIceCandidate(init).catch(() => undefined);
      })();
    });
  };
  carry(caller, callee, 'caller');
  carry(callee, caller, 'callee');

  const apply = async (to: Peer, description: RTCSessionDescriptionInit, leg: MediaLeg) => {
    const sdp = path ? await path.rewriteSdp(description.sdp as string, leg) : (description.sdp as string);
    await to.pc.setRemoteDescription({ type: description.type, sdp });
    const waiting = held.get(to.pc) ?? [];
    held.delete(to.pc);
    for (const candidate of waiting) await to.pc.addIceCandidate(candidate);
  };

  return {
    caller,
    callee,
    async negotiate(options = {}) {
      held.set(caller.pc, []);
      held.set(callee.pc, []);
      const offer = await caller.pc.createOffer(options);
      await caller.pc.setLocalDescription(offer);
      await apply(callee, offer, 'caller');
      const answer = await callee.pc.createAnswer();
      await callee.pc.setLocalDescription(answer);
      await apply(caller, answer, 'callee');
    },
    close() {
      caller.pc.close();
      callee.pc.close();
    },
  };
}

function createPeer(): Peer {
  const pc = new wrtc.RTCPeerConnection({});
  const states: string[] = [];
  pc.addEventListener('connectionstatechange', () => {
    if (states.at(-1) !== pc.connectionState) states.push(pc.connectionState);
  });
  return { pc, states };
}
