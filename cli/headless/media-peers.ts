/**
 * The peers with media in server scripts. Each one is a headless caller: the library over wrtc in a process of its own.
 */
import type { MediaPeer, MediaPeerMaker } from '../../sim/scripts/media-peer.ts';
import type { Clock, Timer } from '../../src/common/clock.ts';
import { CALLEE_TONE, PICTURE } from '../defaults.ts';
import { type HeadlessCaller, startHeadlessCaller } from './caller.ts';
import type { Assignment, HostEvent } from './messages.ts';

/** The maximum number at the same time. More would starve the media of the others and of the client. */
const PARTIES = 32;
/** The time for a peer to report the end of its call to the exchange, milliseconds. */
const LEAVE_MS = 5_000;

export interface Parties {
  /** Creates peers that sign in at this exchange. */
  at(place: { readonly url: string; readonly appId: string }): MediaPeerMaker;
  /** Kills all peers at once. */
  close(): void;
}

/** @param report - receives one line for each peer that could not take part. */
export function createMediaPeers(report: (line: string) => void, clock: Pick<Clock, 'after'>): Parties {
  const there = new Set<HeadlessCaller>();

  const start = (assignment: Omit<Assignment, 'type'>, gone: () => void): MediaPeer => {
    const failed = (why: string) => report(`${assignment.userId} of the script cannot take part: ${why}`);
    if (there.size >= PARTIES) {
      failed(`${PARTIES} users of scripts are in calls already.`);
      setImmediate(gone);
      return { accept: () => undefined, end: () => undefined, leave: () => undefined };
    }
    const onEvent = (event: HostEvent) => {
      if (event.type === 'failed') failed(event.message);
      // The process cannot end by itself.
      if (event.type === 'ended' || event.type === 'failed') caller.kill();
    };
    const caller = startHeadlessCaller(assignment, onEvent, clock);
    let leaving: Timer | undefined;
    there.add(caller);
    caller.done
      .catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        there.delete(caller);
        leaving?.cancel();
        gone();
      });
    return {
      accept: () => caller.accept(),
      end: () => caller.hangUp(),
      leave: () => void (leaving = clock.after(LEAVE_MS, () => caller.kill())),
    };
  };

  return {
    at({ url: server, appId }) {
      const common = { server, appId, media: { tone: CALLEE_TONE, ...PICTURE } };
      return {
        answer: ({ userId, token, callId }) =>
          start({ ...common, role: 'answer', userId, token, callId, video: true, reaction: 'wait' }, () => undefined),
        dial: ({ userId, token, calleeId, video }, gone) =>
          start({ ...common, role: 'dial', userId, token, peerId: calleeId, video }, gone),
      };
    },
    close() {
      for (const caller of there) caller.kill();
    },
  };
}
