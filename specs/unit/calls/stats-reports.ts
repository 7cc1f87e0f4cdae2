/** Reports as the two engines give them, reduced to their differences. */

interface Figures {
  readonly packetsReceived?: number;
  readonly packetsLost?: number;
  readonly bytesReceived?: number;
  readonly jitter?: number;
}

type Entry = Readonly<Record<string, unknown>>;

const asReport = (entries: readonly Entry[]) => new Map(entries.map((entry) => [entry['id'], entry]));

/** Chromium 156: 6 s of a video call. `reported` adds the other side's reports about the sent media. */
export function chromiumReport(audio: Figures = {}, { reported = true }: { reported?: boolean } = {}) {
  return asReport([
    { id: 'CIT01_111', type: 'codec', mimeType: 'audio/opus', payloadType: 111 },
    { id: 'CIT01_96', type: 'codec', mimeType: 'video/VP8', payloadType: 96 },
    { id: 'COT01_96', type: 'codec', mimeType: 'video/VP8', payloadType: 96 },
    { id: 'CP1', type: 'candidate-pair', nominated: false, state: 'succeeded', localCandidateId: 'I2' },
    {
      id: 'CP2',
      type: 'candidate-pair',
      nominated: true,
      state: 'succeeded',
      localCandidateId: 'I1',
      remoteCandidateId: 'I3',
      currentRoundTripTime: 0.04,
    },
    {
      id: 'I1',
      type: 'local-candidate',
      candidateType: 'relay',
      protocol: 'udp',
      relayProtocol: 'tcp',
      networkType: 'wifi',
    },
    { id: 'I2', type: 'local-candidate', candidateType: 'host', protocol: 'tcp', networkType: 'ethernet' },
    { id: 'I3', type: 'remote-candidate', candidateType: 'srflx', protocol: 'udp' },
    {
      id: 'IT01A',
      type: 'inbound-rtp',
      kind: 'audio',
      codecId: 'CIT01_111',
      packetsReceived: 300,
      packetsLost: 0,
      bytesReceived: 16_058,
      jitter: 0.003,
      jitterBufferDelay: 14_400,
      jitterBufferEmittedCount: 288_000,
      ...audio,
    },
    {
      id: 'IT01V',
      type: 'inbound-rtp',
      kind: 'video',
      codecId: 'CIT01_96',
      packetsReceived: 386,
      packetsLost: 2,
      bytesReceived: 358_645,
      jitter: 0.001,
      framesReceived: 119,
      framesDecoded: 118,
      framesDropped: 1,
      framesPerSecond: 20,
      frameWidth: 640,
      frameHeight: 480,
      freezeCount: 3,
      totalDecodeTime: 0.236,
      jitterBufferDelay: 1.18,
      jitterBufferEmittedCount: 118,
    },
    { id: 'OT01A', type: 'outbound-rtp', kind: 'audio', codecId: 'CIT01_111', packetsSent: 299, bytesSent: 16_813 },
    {
      id: 'OT01V',
      type: 'outbound-rtp',
      kind: 'video',
      codecId: 'COT01_96',
      packetsSent: 382,
      bytesSent: 356_614,
      framesEncoded: 121,
      framesPerSecond: 24,
      frameWidth: 1280,
      frameHeight: 720,
    },
    ...(reported
      ? [
          {
            id: 'RIA',
            type: 'remote-inbound-rtp',
            kind: 'audio',
            packetsLost: -4,
            jitter: 0.012,
            roundTripTime: 0.085,
          },
        ]
      : []),
    { id: 'T01', type: 'transport', selectedCandidatePairId: 'CP2' },
  ]);
}

/** wrtc: an old engine. All its codecs, tracks and streams, `mediaType`, no freezes, losses below zero. */
export function wrtcReport() {
  return asReport([
    { id: 'RTCCodec_0_Inbound_9', type: 'codec', mimeType: 'audio/G722' },
    { id: 'RTCCodec_0_Inbound_111', type: 'codec', mimeType: 'audio/opus' },
    { id: 'RTCCodec_1_Inbound_98', type: 'codec', mimeType: 'video/VP9' },
    { id: 'RTCCodec_1_Inbound_96', type: 'codec', mimeType: 'video/VP8' },
    { id: 'track_1', type: 'track', kind: 'audio', remoteSource: true, jitterBufferDelay: 9 },
    { id: 'stream_1', type: 'stream', trackIds: ['track_1'] },
    { id: 'pair_1', type: 'candidate-pair', nominated: false, state: 'succeeded', localCandidateId: 'local_2' },
    {
      id: 'pair_2',
      type: 'candidate-pair',
      nominated: true,
      state: 'succeeded',
      localCandidateId: 'local_1',
      remoteCandidateId: 'remote_1',
      currentRoundTripTime: 0,
    },
    { id: 'local_1', type: 'local-candidate', candidateType: 'host', protocol: 'udp', networkType: 'ethernet' },
    { id: 'local_2', type: 'local-candidate', candidateType: 'prflx', protocol: 'udp', networkType: 'unknown' },
    { id: 'remote_1', type: 'remote-candidate', candidateType: 'host', protocol: 'udp' },
    {
      id: 'in_audio',
      type: 'inbound-rtp',
      mediaType: 'audio',
      codecId: 'RTCCodec_0_Inbound_111',
      packetsReceived: 350,
      packetsLost: -7,
      bytesReceived: 28_000,
      jitter: 0.001,
    },
    {
      id: 'in_video',
      type: 'inbound-rtp',
      mediaType: 'video',
      codecId: 'RTCCodec_1_Inbound_96',
      packetsReceived: 100,
      packetsLost: 0,
      bytesReceived: 50_000,
      jitter: 0,
      framesDecoded: 0,
      totalDecodeTime: 0,
    },
  ]);
}
