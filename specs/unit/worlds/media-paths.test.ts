import { describe, expect, it } from 'vitest';
import { MediaPaths } from '../../../cli/worlds/real/media-paths.ts';
import type { PathProxy } from '../../../sim/media/path-proxy.ts';

const LOST = { lossRate: 1, rttMs: 0, jitterMs: 0 };

/** Makes paths that keep their state: whether each one is cut, and its loss. */
function keptPaths() {
  const states: { isCut: boolean; loss: number }[] = [];
  const paths = new MediaPaths(
    () => 0,
    () => {
      const state = { isCut: false, loss: 0 };
      states.push(state);
      return {
        cut: () => void (state.isCut = true),
        restore: () => void (state.isCut = false),
        setQuality: (quality?: { readonly lossRate: number }) => void (state.loss = quality?.lossRate ?? 0),
        dispose: () => undefined,
      } as unknown as PathProxy;
    },
  );
  return { paths, cut: () => states.map(({ isCut }) => isCut), losses: () => states.map(({ loss }) => loss) };
}

/** Paths of an endpoint of Alice, requested over the channel, and of one of Bob's phone, requested over HTTP. */
function endpointsOfTwo() {
  const kept = keptPaths();
  kept.paths.sent('alice', 'endpoint_create', JSON.stringify({ payload: { participant_id: 'a' } }));
  kept.paths.sent('bob.phone', 'POST /v1/rooms/r/participants/b/endpoints', '{"sdp":"x"}');
  kept.paths.open({ endpointId: 'of a', participantId: 'a' });
  kept.paths.open({ endpointId: 'of b', participantId: 'b' });
  return kept;
}

describe('the path of an endpoint', () => {
  it('is cut with the device that requested it, and all are cut with the media server', () => {
    const { paths, cut } = endpointsOfTwo();
    paths.cut('bob.phone');
    expect(cut()).toEqual([false, true]);
    paths.cut('sfu');
    expect(cut()).toEqual([true, true]);
    paths.restore('sfu');
    expect(cut()).toEqual([false, true]);
    paths.restore('bob.phone');
    expect(cut()).toEqual([false, false]);
  });

  it('has the fault that is between its device and the media server, in either order', () => {
    const { paths, losses } = endpointsOfTwo();
    paths.setQuality('bob.phone', 'sfu', LOST);
    expect([losses(), paths.quality('sfu', 'bob.phone')]).toEqual([[0, 1], LOST]);
    paths.setQuality('alice', 'bob.phone', LOST);
    expect(losses()).toEqual([0, 1]);
  });

  it('has a fault that began before it', () => {
    const { paths, cut } = endpointsOfTwo();
    paths.cut('bob.phone');
    paths.open({ endpointId: 'second of b', participantId: 'b' });
    expect(cut()).toEqual([false, true, true]);
  });
});

it('the path of a call is cut with each device that negotiates its media', () => {
  const { paths, cut } = keptPaths();
  paths.open({ callId: 'c' });
  paths.cut('bob.phone');
  expect(cut()).toEqual([false]);
  paths.sent('bob.phone', 'answer', JSON.stringify({ payload: { call_id: 'c' } }));
  expect(cut()).toEqual([true]);
});
