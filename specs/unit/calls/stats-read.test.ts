import { describe, expect, test } from 'vitest';
import { connectionInfo, readConnectionInfo } from '../../../src/calls/stats/connection-info.ts';
import { readStats } from '../../../src/calls/stats/read-stats.ts';
import { chromiumReport, wrtcReport } from './stats-reports.ts';

describe('reading statistics', () => {
  test('ST-03: returns transport info, audio and video blocks with their counters, and mos', () => {
    const stats = readStats(chromiumReport(), 6000, null);
    expect(stats.at).toBe(6000);
    expect(stats.transport).toEqual({
      networkType: 'wifi',
      protocol: 'udp',
      candidateType: 'relay',
      remoteCandidateType: 'srflx',
      relayProtocol: 'tcp',
      roundTripTime: 40,
    });
    expect(stats.audio).toEqual({
      sent: {
        codec: 'opus',
        packets: 299,
        bytes: 16_813,
        reported: { packetsLost: 0, jitter: 12, roundTripTime: 85 },
      },
      received: {
        codec: 'opus',
        packets: 300,
        bytes: 16_058,
        packetsLost: 0,
        jitter: 3,
        jitterBuffer: 50,
        recent: { packets: 300, bytes: 16_058, packetsLost: 0 },
      },
    });
    expect(stats.video.sent).toEqual({
      codec: 'VP8',
      packets: 382,
      bytes: 356_614,
      reported: null,
      frames: 121,
      fps: 24,
      frameWidth: 1280,
      frameHeight: 720,
    });
    expect(stats.video.received).toMatchObject({
      codec: 'VP8',
      packetsLost: 2,
      frames: 119,
      framesDecoded: 118,
      framesDropped: 1,
      fps: 20,
      frameWidth: 640,
      frameHeight: 480,
      freezeCount: 3,
      decodeTime: 2,
      jitterBuffer: 10,
    });
    expect(stats.mos).toBe(4.3);
  });

  test('QM-07: returns round-trip times in milliseconds, of the path and of the reports', () => {
    const { transport, audio } = readStats(chromiumReport(), 0, null);
    expect(transport.roundTripTime).toBe(40);
    expect(audio.sent?.reported?.roundTripTime).toBe(85);
  });

  test('finds the codec and the pair of an old engine without a transport entry, and no losses below zero', () => {
    const { transport, audio, video, mos } = readStats(wrtcReport(), 0, null);
    expect(transport).toMatchObject({ candidateType: 'host', networkType: 'ethernet', roundTripTime: 0 });
    expect(audio.received).toMatchObject({ codec: 'opus', packetsLost: 0, packets: 350 });
    expect(audio.sent).toBeNull();
    expect(video.received).toMatchObject({ codec: 'VP8', freezeCount: null, decodeTime: null, fps: null });
    expect(mos).toBe(4.4);
  });

  test('counts the packets since the previous sample separately', () => {
    const before = readStats(chromiumReport({ packetsReceived: 100, packetsLost: 10, bytesReceived: 5000 }), 0, null);
    const after = readStats(
      chromiumReport({ packetsReceived: 145, packetsLost: 15, bytesReceived: 7500 }),
      1000,
      before,
    );
    expect(after.audio.received?.recent).toEqual({ packets: 45, packetsLost: 5, bytes: 2500 });
    expect(after.mos).toBeLessThan(readStats(chromiumReport(), 0, null).mos ?? 0);
  });

  test('counts recovered losses as zero, and reset counters in full', () => {
    const before = readStats(chromiumReport({ packetsReceived: 100, packetsLost: 10 }), 0, null);
    const takenBack = readStats(chromiumReport({ packetsReceived: 150, packetsLost: 8 }), 1000, before);
    expect(takenBack.audio.received?.recent).toMatchObject({ packets: 50, packetsLost: 0 });
    const anew = readStats(chromiumReport({ packetsReceived: 20, packetsLost: 1 }), 2000, takenBack);
    expect(anew.audio.received?.recent).toMatchObject({ packets: 20, packetsLost: 1 });
  });

  test('returns no score without audio since the previous sample', () => {
    const first = readStats(chromiumReport(), 0, null);
    expect(readStats(chromiumReport(), 1000, first).mos).toBeNull();
  });

  test('ignores an empty report and unusable entries without an exception', () => {
    const useless = [null, 'text', 7, {}, { id: 4 }, { id: 'x', type: 'transport', selectedCandidatePairId: 'gone' }];
    for (const report of [new Map(), new Map(useless.map((entry, at) => [at, entry]))]) {
      expect(readStats(report, 0, null)).toEqual({
        at: 0,
        transport: {
          networkType: null,
          protocol: null,
          candidateType: null,
          remoteCandidateType: null,
          relayProtocol: null,
          roundTripTime: null,
        },
        audio: { sent: null, received: null },
        video: { sent: null, received: null },
        mos: null,
      });
    }
  });
});

describe('connection info', () => {
  test('reports the path of the candidate pair in use', () => {
    expect(connectionInfo(chromiumReport())).toEqual({
      connection_type: 'relay',
      relay_protocol: 'tcp',
      protocol: 'udp',
    });
    expect(connectionInfo(wrtcReport())).toEqual({ connection_type: 'host', relay_protocol: null, protocol: 'udp' });
  });

  test('a connection without statistics has an unknown path', async () => {
    const unknown = { connection_type: 'unknown', relay_protocol: null, protocol: null };
    expect(connectionInfo(new Map())).toEqual(unknown);
    expect(await readConnectionInfo({ getStats: () => Promise.reject(new Error('closed')) })).toEqual(unknown);
    expect(await readConnectionInfo({ getStats: () => Promise.resolve(wrtcReport()) })).toMatchObject({
      connection_type: 'host',
    });
  });
});
