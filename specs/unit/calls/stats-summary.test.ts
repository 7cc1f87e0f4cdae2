import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { summaryBody } from '../../../src/protocol/http.ts';
import { readStats } from '../../../src/calls/stats/read-stats.ts';
import { meanMos } from '../../../src/calls/stats/mos.ts';
import { callSummary, type CallFacts } from '../../../src/calls/stats/summary.ts';
import { callWorld } from './support/call-world.ts';
import { chromiumReport } from './stats-reports.ts';

const facts: CallFacts = {
  role: 'dc_caller',
  endResult: 'completed',
  isVideoCall: true,
  dialedAt: 1000,
  rungAt: 1350,
  acceptedAt: 9000,
  connectedAt: 9420,
  reconnectionCount: 2,
};

const nothing = { latest: null, mosList: [], statsInterval: 3 };

describe('the summary of a whole call', () => {
  test("ST-04 ST-06 QM-07: sends each side's measurements once; times are milliseconds", async () => {
    const world = await callWorld();
    const [alice, bob] = [await world.party('alice'), await world.party('bob')];
    world.world.media.setQuality('alice', 'bob', { rttMs: 200, lossRate: 0.1 });
    const call = alice.dial('bob', { isVideoCall: true, callOption: {} });
    const dialledAt = world.world.clock.now();
    const times: Record<string, number> = {};
    const mark = (name: string) => () => void (times[name] = world.world.clock.now() - dialledAt);
    call.onCalleeDialReceived = mark('rung');
    call.onEstablished = mark('accepted');
    call.onConnected = mark('connected');
    await world.advance(2_000);
    bob.rung().accept({ callOption: {} });
    await world.advance(14_900);
    call.end();
    call.end();
    await world.advance(60_000);
    const { rung = 0, accepted = 0, connected = 0 } = times;
    expect(rung).toBeGreaterThan(0);
    expect(accepted).toBeGreaterThan(2_000);
    expect(connected).toBeGreaterThan(accepted);
    const { exchange } = world.world;
    const [mine, theirs, ...more] = exchange.summariesOf(call.callId);
    expect([mine?.user_role, theirs?.user_role, more]).toEqual(['dc_caller', 'dc_callee', []]);
    expect(alice.requests('summary')).toHaveLength(1);
    expect(mine?.summary_data).toEqual({
      end_result: 'completed',
      pdd: rung,
      setup_time: connected - accepted,
      reconnection_count: 0,
      network_type: 'ethernet',
      candidate_type: 'host',
      audio: {
        codec: 'opus',
        mos_list: expect.any(Array),
        mos: expect.any(Number),
        packet_loss_rate: expect.any(Number),
        rtt: expect.any(Number),
      },
      video: {
        codec: 'VP8',
        freeze_count: 0,
        jitter_buffer: expect.any(Number),
        frame_width: 1280,
        frame_height: 720,
        decode_time: 4,
        fps: 24,
      },
      stats_interval: 3,
    });
    const { mos_list = [], mos, packet_loss_rate, rtt } = mine?.summary_data.audio ?? {};
    expect(mos_list).toHaveLength(4);
    expect(mos).toBe(meanMos(mos_list));
    expect(packet_loss_rate).toBeCloseTo(0.1, 1);
    expect(Math.abs((rtt ?? 0) - 200)).toBeLessThanOrEqual(20);
  });
});

describe('call summary', () => {
  test('ST-04: has the call with its statistics', () => {
    const latest = readStats(chromiumReport({ packetsReceived: 95, packetsLost: 5 }), 60_000, null);
    const summary = callSummary(facts, { latest, mosList: [4.4, 4, 3.9], statsInterval: 3 });
    expect(summary).toEqual({
      version: 1,
      user_role: 'dc_caller',
      summary_data: {
        end_result: 'completed',
        pdd: 350,
        setup_time: 420,
        reconnection_count: 2,
        network_type: 'wifi',
        candidate_type: 'relay',
        audio: { codec: 'opus', mos_list: [4.4, 4, 3.9], mos: 4.1, packet_loss_rate: 0.05, rtt: 85 },
        video: {
          codec: 'VP8',
          freeze_count: 3,
          jitter_buffer: 10,
          frame_width: 640,
          frame_height: 480,
          decode_time: 2,
          fps: 20,
        },
        stats_interval: 3,
      },
    });
    expect(v.parse(summaryBody, summary)).toEqual(summary);
  });

  test('has no statistics for a call without media, in the form that the exchange reads', () => {
    const never = { dialedAt: 1000, rungAt: null, acceptedAt: null, connectedAt: null, reconnectionCount: 0 };
    const summary = callSummary({ ...facts, ...never, endResult: 'no_answer' }, nothing);
    expect(summary.summary_data).toMatchObject({
      pdd: null,
      setup_time: null,
      network_type: null,
      audio: { codec: null, mos_list: [], mos: null, packet_loss_rate: null, rtt: null },
      video: { codec: null, freeze_count: null },
    });
    expect(v.parse(summaryBody, summary)).toEqual(summary);
  });

  test('has no video block for a voice call', () => {
    expect(callSummary({ ...facts, isVideoCall: false }, nothing).summary_data.video).toBeNull();
  });

  test('has the last score of a call that is shorter than an interval', () => {
    const latest = readStats(chromiumReport(), 1000, null);
    expect(callSummary(facts, { latest, mosList: [], statsInterval: 3 }).summary_data.audio).toMatchObject({
      mos_list: [],
      mos: 4.3,
    });
  });
});
