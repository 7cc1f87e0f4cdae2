import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import {
  ConnectionQualityMonitoringMode as Mode,
  ConnectionQualityState as State,
} from '../../../src/calls/host/public-enumerations.ts';
import { qualityOf } from '../../../src/calls/stats/quality.ts';
import { QualityMonitor, type ConnectionMetrics } from '../../../src/calls/stats/quality-monitor.ts';
import { callWorld } from './support/call-world.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** A voice call before its accept. */
async function ringing() {
  const world = await callWorld();
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const call = alice.dial('bob', { isVideoCall: false, callOption: {} });
  await world.settle();
  const told: ConnectionMetrics[] = [];
  return {
    world,
    alice,
    call,
    told,
    states: () => told.map(({ state }) => state),
    hear: (metrics: ConnectionMetrics) => void told.push(metrics),
    /** Accepts it and waits until both sides are connected. */
    connect: async () => {
      bob.rung().accept({ callOption: {} });
      await world.advance(1_000);
      expect(alice.state(call)).toBe('connected');
    },
    setLoss: (lossRate: number) => world.world.media.setQuality('alice', 'bob', { lossRate }),
  };
}

/** The code and message that a call of the library throws. */
function thrown(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof Error && 'code' in error ? [error.code, error.message] : error;
  }
}

describe('the connection quality of a call', () => {
  it('QM-03: is emitted every 3 s in mode frequency, once the call is connected', async () => {
    const { call, connect, hear, told, world } = await ringing();
    const times: number[] = [];
    let connectedAt = 0;
    call.onConnected = () => (connectedAt = world.world.clock.now());
    call.setConnectionQualityListener(Mode.FREQUENCY, (metrics) => {
      hear(metrics);
      times.push(world.world.clock.now());
    });
    await world.advance(10_000);
    expect(told).toEqual([]);
    await connect();
    await world.advance(9_000);
    expect(times.map((time) => time - connectedAt)).toEqual([3_000, 6_000, 9_000]);
    expect(told.map(({ state }) => state)).toEqual(['excellent', 'excellent', 'excellent']);
  });

  it('QM-03: is emitted every 3 s to a listener that is set while the call is connected', async () => {
    const { call, connect, hear, told, world } = await ringing();
    await connect();
    await world.advance(2_500);
    call.setConnectionQualityListener(Mode.FREQUENCY, hear);
    await world.advance(2_999);
    expect(told).toHaveLength(0);
    await world.advance(1);
    expect(told).toHaveLength(1);
  });

  it('QM-04: is emitted in mode connection-quality-change only when it changes', async () => {
    const { call, connect, hear, setLoss, states, told, world } = await ringing();
    call.setConnectionQualityListener(Mode.CONNECTION_QUALITY_CHANGE, hear);
    await connect();
    await world.advance(20_000);
    expect(states()).toEqual(['excellent']);
    setLoss(0.6);
    await world.advance(10_000);
    expect(states()).toEqual(['excellent', 'poor']);
    expect(told[1]?.packetsLostRate).toBeCloseTo(0.6, 1);
    setLoss(0);
    await world.advance(10_000);
    expect(states()).toEqual(['excellent', 'poor', 'excellent']);
  });

  it('QM-04: a listener that is added later gets the present quality, and then the changes', async () => {
    const { call, connect, hear, states, world } = await ringing();
    const former: string[] = [];
    call.setConnectionQualityListener(Mode.CONNECTION_QUALITY_CHANGE, ({ state }) => void former.push(state));
    await connect();
    await world.advance(5_000);
    call.setConnectionQualityListener(Mode.CONNECTION_QUALITY_CHANGE, hear);
    await world.advance(10_000);
    expect([former, states()]).toEqual([['excellent'], ['excellent']]);
  });

  it('QM-01 QM-04: is unavailable while no audio arrives', async () => {
    const { call, connect, hear, told, world } = await ringing();
    call.setConnectionQualityListener(Mode.CONNECTION_QUALITY_CHANGE, hear);
    await connect();
    await world.advance(3_000);
    world.cutMedia();
    await world.advance(10_000);
    expect(told.at(-1)).toMatchObject({ state: 'unavailable', mos: undefined, packetsLostRate: undefined });
    world.restoreMedia();
    await world.advance(10_000);
    expect(told.at(-1)).toMatchObject({ state: 'excellent' });
  });

  it('QM-02 QM-07: is emitted with its score, the share of lost packets, and times in milliseconds', async () => {
    const { call, connect, hear, told, world } = await ringing();
    world.world.media.setQuality('alice', 'bob', { lossRate: 0.1, rttMs: 300, jitterMs: 40 });
    call.setConnectionQualityListener(Mode.FREQUENCY, hear);
    await connect();
    await world.advance(30_000);
    expect(told.length).toBeGreaterThan(8);
    for (const { state, mos, packetsLostRate, rtt, jitter } of told) {
      expect(state).toBe(qualityOf(mos ?? null));
      expect(mos).toBeLessThan(3.6);
      expect(packetsLostRate).toBeGreaterThan(0);
      expect(packetsLostRate).toBeLessThan(0.2);
      expect(rtt).toBeGreaterThanOrEqual(270);
      expect(rtt).toBeLessThanOrEqual(330);
      expect(jitter).toBeGreaterThanOrEqual(36);
      expect(jitter).toBeLessThanOrEqual(44);
    }
  });

  it.each(['frequency', 'FREQUENCY', 'Connection_Quality_Change', 'CONNECTION_QUALITY_CHANGE'])(
    'QM-03 QM-04: accepts the mode spelt %s',
    async (mode) => {
      const { call, connect, hear, told, world } = await ringing();
      call.setConnectionQualityListener(mode as 'frequency', hear);
      await connect();
      await world.advance(9_000);
      expect(told).toHaveLength(mode.toLowerCase() === 'frequency' ? 3 : 1);
    },
  );

  it.each([
    ['x', ErrorCode.INVALID_PARAMETER_VALUE, 'mode is an invalid or empty value.'],
    ['', ErrorCode.INVALID_PARAMETER_VALUE, 'mode is an invalid or empty value.'],
    [undefined, ErrorCode.INVALID_PARAMETER_VALUE, 'mode is an invalid or empty value.'],
    [3, ErrorCode.INVALID_PARAMETER_TYPE, 'The data type of mode is invalid.'],
  ])('QM-05 B19: the mode %j is refused, and the previous listener stays', async (mode, ...error) => {
    const { call, connect, hear, told, world } = await ringing();
    call.setConnectionQualityListener(Mode.FREQUENCY, hear);
    expect(thrown(() => call.setConnectionQualityListener(mode as 'frequency', () => undefined))).toEqual(error);
    await connect();
    await world.advance(3_000);
    expect(told).toHaveLength(1);
  });

  it.each([
    [null, ErrorCode.INVALID_PARAMETER_VALUE, 'listener is an invalid or empty value.'],
    ['told', ErrorCode.INVALID_PARAMETER_TYPE, 'The data type of listener is invalid.'],
  ])('QM-05: the listener %j is refused', async (listener, ...error) => {
    const { call } = await ringing();
    expect(thrown(() => call.setConnectionQualityListener(Mode.FREQUENCY, listener as never))).toEqual(error);
  });

  it('has one listener: the last one set, until it is removed', async () => {
    const { call, connect, hear, told, world } = await ringing();
    let former = 0;
    call.removeConnectionQualityListener();
    call.setConnectionQualityListener(Mode.FREQUENCY, () => void (former += 1));
    await connect();
    await world.advance(3_000);
    call.setConnectionQualityListener(Mode.FREQUENCY, hear);
    await world.advance(6_000);
    call.removeConnectionQualityListener();
    await world.advance(6_000);
    expect([former, told.length]).toEqual([1, 2]);
  });

  it('B35: a listener that throws is logged, called again, and the call continues', async () => {
    const { alice, call, connect, world } = await ringing();
    let told = 0;
    call.setConnectionQualityListener(Mode.FREQUENCY, () => {
      told += 1;
      throw new Error('not me');
    });
    await connect();
    await world.advance(6_000);
    expect(told).toBe(2);
    expect(alice.errors()).toHaveLength(2);
    expect(alice.errors()[0]).toContain('not me');
    expect(alice.state(call)).toBe('connected');
  });

  it('is not emitted after the end, to a listener set before or after it, and leaves no timer', async () => {
    const { alice, call, connect, told, world } = await ringing();
    call.setConnectionQualityListener(Mode.FREQUENCY, (metrics) => {
      told.push(metrics);
      call.end();
    });
    await connect();
    await world.advance(3_000);
    expect(call.isEnded).toBe(true);
    call.setConnectionQualityListener(Mode.FREQUENCY, (metrics) => void told.push(metrics));
    expect(thrown(() => call.setConnectionQualityListener('x' as 'frequency', () => undefined))).toEqual([
      ErrorCode.INVALID_PARAMETER_VALUE,
      'mode is an invalid or empty value.',
    ]);
    await world.advance(10_000);
    expect(told).toHaveLength(1);
    alice.client.deauthenticate();
    expect(alice.remains()).toEqual([]);
  });
});

describe('another connection that takes the call over', () => {
  it('QM-03: does not change when the quality is emitted', async () => {
    const clock = new VirtualClock();
    const told: ConnectionMetrics[] = [];
    const monitor = new QualityMonitor({ clock, log: { error: () => undefined }, latest: () => null });
    monitor.listen(Mode.FREQUENCY, (metrics) => void told.push(metrics));
    monitor.start();
    await clock.advance(2_000);
    monitor.start();
    await clock.advance(4_000);
    expect(told.map(({ state }) => state)).toEqual(['unavailable', 'unavailable']);
    monitor.stop();
    expect(clock.pending).toEqual([]);
  });
});

describe('the states of connection quality', () => {
  it('QM-01 QM-02: have one public name each', () => {
    expect(State).toEqual({
      UNAVAILABLE: 'unavailable',
      POOR: 'poor',
      FAIR: 'fair',
      AVERAGE: 'average',
      GOOD: 'good',
      EXCELLENT: 'excellent',
    });
    const scores = [null, 1, 2, 3, 3.6, 4.2];
    expect(scores.map(qualityOf)).toEqual(Object.values(State));
  });

  it.each([
    [99, 'excellent'],
    [-1, 'poor'],
    [Number.NaN, 'unavailable'],
  ])('B52: a score of %s is %s', (mos, state) => {
    expect(qualityOf(mos)).toBe(state);
  });
});
