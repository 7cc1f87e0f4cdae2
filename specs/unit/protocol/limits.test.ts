import { describe, expect, it } from 'vitest';
import {
  LIBRARY_VERSION,
  LIMITS,
  QUALITY_BANDS,
  ROOM_LIMITS,
  ROOM_TIMES,
  TIMES,
} from '../../../src/protocol/limits.ts';

describe('times and limits', () => {
  it('have the values of the specification', () => {
    expect(LIBRARY_VERSION).toBe('1.10.20');
    expect(TIMES).toMatchObject({
      requestTimeoutMs: 60_000,
      ringingTimeoutMs: 60_000,
      connectionTimeoutMs: 60_000,
      aliveIntervalMs: 30_000,
      reconnectGraceMs: 30_000,
      descriptionRetryInitialMs: 2_500,
      descriptionRetryStepMs: 1_000,
      peerConnectionSwapMs: 2_000,
      channelRetryMs: 2_000,
      genericRetryMs: [1_000, 2_000, 3_000],
      statsPollMs: 1_000,
      qualityDispatchMs: 3_000,
    });
    expect(TIMES.channelBackoffMs[0]).toBe(5_000);
    expect(LIMITS).toMatchObject({
      descriptionSends: 12,
      frameBytes: 65_536,
      compressedSdpChars: 32_768,
      sdpBytes: 262_144,
      httpBodyBytes: 1_048_576,
      statsIntervalSeconds: { default: 3, min: 1, max: 60 },
      logEntries: 500,
      videoFrameRate: 24,
    });
    expect(ROOM_TIMES).toMatchObject({
      roomAliveIntervalMs: 5_000,
      roomAliveReplyMs: 5_000,
      roomSilenceMs: 43_000,
      attachRetryInitialMs: 5_000,
      attachRetryStepMs: 1_000,
      endpointReconnectMs: 5_000,
      endpointReconnectNoiseMs: 1_000,
      invitationMs: 300_000,
    });
    expect(ROOM_LIMITS).toMatchObject({
      roomAliveFailures: 8,
      attachSends: 8,
      roomPage: { default: 10, min: 1, max: 100 },
      roomQueryIds: 100,
      roomSizes: {
        small_room_for_audio_only: 6,
        large_room_for_audio_only: 100,
        small_room_for_video: 6,
        large_room_for_video: 100,
      },
      roomsPerUser: 100,
      pictureSizes: [
        { width: 1280, height: 720 },
        { width: 960, height: 540 },
        { width: 848, height: 480 },
        { width: 640, height: 360 },
      ],
    });
    expect(QUALITY_BANDS.map(({ below }) => below)).toEqual([2, 3, 3.6, 4.2]);
  });
});
