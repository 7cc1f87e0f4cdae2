import { describe, expect, it } from 'vitest';
import { Heartbeats, PARTS } from '../../../sim/server/heartbeats.ts';

/** A socket that records what happens to it. */
function openSocket() {
  const seen: string[] = [];
  return { seen, ping: () => void seen.push('ping'), terminate: () => void seen.push('terminate') };
}

describe('heartbeats', () => {
  it('ping each socket once in an interval, and an equal part of them at each beat', () => {
    const beats = new Heartbeats<ReturnType<typeof openSocket>>();
    const sockets = Array.from({ length: 3 * PARTS }, openSocket);
    for (const socket of sockets) beats.add(socket);
    const pings = () => sockets.reduce((sum, { seen }) => sum + seen.length, 0);
    for (let beat = 1; beat <= PARTS; beat += 1) {
      beats.beat();
      expect(pings()).toBe(3 * beat);
    }
    expect(sockets.map(({ seen }) => seen)).toEqual(sockets.map(() => ['ping']));
  });

  it('stop for a removed socket, also in its part', () => {
    const beats = new Heartbeats<ReturnType<typeof openSocket>>();
    const [gone, kept] = [openSocket(), openSocket()];
    beats.add(gone);
    beats.add(kept);
    beats.remove(gone);
    for (let beat = 0; beat < PARTS; beat += 1) beats.beat();
    expect([gone.seen, kept.seen]).toEqual([[], ['ping']]);
  });

  it('ping few of ten thousand sockets in one turn, so that no call waits long', () => {
    const beats = new Heartbeats<ReturnType<typeof openSocket>>();
    const sockets = Array.from({ length: 10_000 }, openSocket);
    for (const socket of sockets) beats.add(socket);
    beats.beat();
    expect(sockets.filter(({ seen }) => seen.length > 0)).toHaveLength(100);
  });

  it('S15: terminate a socket that answers no ping at the third, and keep one that answers late', () => {
    const beats = new Heartbeats<ReturnType<typeof openSocket>>();
    const [silent, slow, gone] = [openSocket(), openSocket(), openSocket()];
    for (const socket of [silent, slow, gone]) beats.add(socket);
    const interval = () => {
      for (let beat = 0; beat < PARTS; beat += 1) beats.beat();
    };
    interval();
    interval();
    beats.answered(slow);
    beats.remove(gone);
    interval();
    expect([silent.seen, slow.seen, gone.seen]).toEqual([
      ['ping', 'ping', 'terminate'],
      ['ping', 'ping', 'ping'],
      ['ping', 'ping'],
    ]);
    expect([beats.count, beats.sockets]).toEqual([2, [silent, slow]]);
  });
});
