import { nodeClock } from '../../../sim/server/node-ports.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceMissedStates } from '../../../cli/headless/platform/missed-states.ts';

class Connection extends EventTarget {
  connectionState: RTCPeerConnectionState = 'new';
  iceConnectionState: RTCIceConnectionState = 'new';
  readonly told: string[] = [];
}

function watched(): Connection {
  const pc = new Connection();
  announceMissedStates(pc, nodeClock);
  pc.addEventListener('connectionstatechange', () => pc.told.push(pc.connectionState));
  return pc;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a change without an event is announced once', () => {
  const pc = watched();
  pc.connectionState = 'disconnected';
  pc.dispatchEvent(new Event('connectionstatechange'));
  pc.connectionState = 'connected';
  vi.advanceTimersByTime(1_000);
  expect(pc.told).toEqual(['disconnected', 'connected']);
});

test('a change of only the ICE state is announced too', () => {
  const pc = watched();
  pc.iceConnectionState = 'failed';
  vi.advanceTimersByTime(1_000);
  expect(pc.told).toEqual(['new']);
});

test('a change that the engine announced is not repeated', () => {
  const pc = watched();
  pc.connectionState = 'connected';
  pc.dispatchEvent(new Event('connectionstatechange'));
  pc.iceConnectionState = 'connected';
  pc.dispatchEvent(new Event('iceconnectionstatechange'));
  vi.advanceTimersByTime(10_000);
  expect(pc.told).toEqual(['connected']);
});

test('a closed connection is not checked, and no timer remains', () => {
  const pc = watched();
  pc.connectionState = 'closed';
  vi.advanceTimersByTime(1_000);
  expect(pc.told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
