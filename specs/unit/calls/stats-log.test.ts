import * as v from 'valibot';
import { describe, expect, it, test } from 'vitest';
import golden from '../../../fixtures/wire/logs.json' with { type: 'json' };
import { browserType } from '../../../src/calls/stats/browser-type.ts';
import { readStats } from '../../../src/calls/stats/read-stats.ts';
import { statsLog } from '../../../src/calls/stats/stats-log.ts';
import { logsBody, type StatsLog } from '../../../src/protocol/client-logs.ts';
import { callWorld } from './support/call-world.ts';
import { chromiumReport } from './stats-reports.ts';

const { log_data } = golden.stats;

describe('the log of an interval', () => {
  it('ST-03 ST-05: has the data of the call, and its call stats: transport, audio, video with their counters, and mos', () => {
    const { app_id, browser_type, call_id, device_timestamp, caller_id, callee_id, is_video_call } = log_data;
    const stats = readStats(chromiumReport(), 60_000, null);
    const facts = { browser_type, call_id, device_timestamp, caller_id, callee_id, is_video_call };
    const log = statsLog({ ...facts, role: 'dc_caller' }, { stats, measures: 3, mos: 4.3, interval: 3 });
    expect({ app_id, ...log }).toEqual(log_data);
    expect(v.parse(logsBody, golden.stats)).toEqual(golden.stats);
  });

  it('ST-05: has the form that the exchange reads also when no value is known', () => {
    const { app_id, browser_type, call_id, device_timestamp, caller_id, callee_id, is_video_call } = log_data;
    const facts = { browser_type, call_id, device_timestamp, caller_id, callee_id, is_video_call };
    const stats = readStats(new Map(), 1_000, null);
    const log = statsLog({ ...facts, role: 'dc_caller' }, { stats, measures: 1, mos: null, interval: 60 });
    const body = { log_group: 'call_stats', log_data: { app_id, ...log } };
    expect(v.parse(logsBody, body)).toEqual(body);
    expect(log).toMatchObject({ audio: { sent: null, received: null }, video: { sent: null, received: null } });
  });
});

describe('the type of a browser', () => {
  const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
  test.each([
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'chrome'],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${webkit} CriOS/130.0 Mobile/15E148 Safari/604.1`,
      'chrome',
    ],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`, 'edge'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/156.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'opera'],
    [`Mozilla/5.0 (Linux; Android 14) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`, 'samsung'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'firefox'],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/18.0 Safari/605.1.15`, 'safari'],
    ['Node.js/20.20.2 ringback', 'other'],
    ['', 'other'],
  ])('ST-05: for %j is %s', (userAgent, type) => {
    expect(browserType(userAgent)).toBe(type);
  });
});

/** A call of alice and bob that has just connected, and the uploads about it. */
async function connected({
  statsInterval,
  isVideoCall = true,
}: { statsInterval?: number; isVideoCall?: boolean } = {}) {
  const world = await callWorld(
    statsInterval === undefined ? {} : { settings: { statsIntervalSeconds: statsInterval } },
  );
  const [alice, bob] = [await world.party('alice'), await world.party('bob')];
  const call = alice.dial('bob', { isVideoCall, callOption: {} });
  await world.settle();
  const dialled = world.world.clock.now();
  bob.rung().accept({ callOption: {} });
  let connectedAt = dialled;
  call.onConnected = () => (connectedAt = world.world.clock.now());
  await world.advance(990);
  expect(alice.state(call)).toBe('connected');
  const kept = (userId = 'alice') =>
    world.world.exchange.statsLogsOf(call.callId).filter((log) => log.userId === userId);
  return { world, alice, bob, call, kept, connectedAt };
}

describe('the statistics of a call', () => {
  it('ST-02 ST-05 HTTP-23: are uploaded once each stats interval while connected, by both sides', async () => {
    const { alice, call, connectedAt, kept, world } = await connected();
    await world.advance(10_000);
    expect(kept().map(({ device_timestamp }) => device_timestamp - connectedAt)).toEqual([3_000, 6_000, 9_000]);
    const [first] = kept();
    const { userId, clientId, ...log } = first as StatsLog & { userId: string; clientId: string };
    expect([userId, clientId]).toEqual(['alice', alice.httpRequests('/v1/sdk/logs')[0]?.headers['x-client-id']]);
    expect(log).toMatchObject({
      app_id: 'ringback-demo',
      browser_type: 'chrome',
      call_id: call.callId,
      role: 'dc_caller',
      caller_id: 'alice',
      callee_id: 'bob',
      is_video_call: true,
      metadata: { measure_count: 3, interval: 3 },
      transport: { network_type: 'ethernet', protocol: 'udp', candidate_type: 'host' },
      audio: { sent: { codec: 'opus' }, received: { codec: 'opus' } },
      video: { sent: { codec: 'VP8' }, received: { codec: 'VP8' } },
      mos: 4.4,
    });
    expect(kept('bob')[0]).toMatchObject({ role: 'dc_callee', caller_id: 'alice', callee_id: 'bob' });
    expect(kept('bob')).toHaveLength(3);
  });

  it.each([
    [1, [1, 1, 1]],
    [2, [2, 1]],
    [0, [1, 1, 1]],
    [600, [3]],
  ])(
    'ST-02: an interval of %s s that the exchange asks for gives logs of %j measures in 3 s',
    async (statsInterval, counts) => {
      const { call, kept, world } = await connected({ statsInterval });
      await world.advance(3_000);
      call.end();
      await world.settle();
      const interval = Math.min(60, Math.max(1, statsInterval));
      expect(kept().map(({ metadata }) => metadata.interval)).toEqual(counts.map(() => interval));
      expect(kept().map(({ metadata }) => metadata.measure_count)).toEqual(counts);
    },
  );

  it('are uploaded for the time after the last interval when the call ends, and not after that', async () => {
    const { bob, call, kept, world } = await connected();
    await world.advance(4_000);
    call.end();
    bob.rung().end();
    await world.advance(60_000);
    expect(kept().map(({ metadata }) => metadata.measure_count)).toEqual([3, 1]);
    expect(kept('bob').map(({ metadata }) => metadata.measure_count)).toEqual([3, 1]);
  });

  it('DC-60: are logged when they cannot be sent, and do not delay the end of the call', async () => {
    const { alice, call, world } = await connected();
    alice.refuseHttp();
    await world.advance(4_000);
    const failed = () => alice.logged('warn').filter((line) => line.includes('the statistics were not sent'));
    expect(failed()).toHaveLength(1);
    expect(alice.state(call)).toBe('connected');
    call.end();
    expect(alice.state(call)).toBe('ended');
    await world.settle();
    expect(failed()).toHaveLength(2);
    expect(alice.leftovers()).toEqual([]);
  });
});
