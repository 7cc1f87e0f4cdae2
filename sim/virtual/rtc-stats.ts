import type { Flow } from './path-quality.ts';
import { PACKET_BYTES, type VirtualTransceiver } from './transceiver.ts';

interface StatsSource {
  /** Wall time in milliseconds. */
  readonly timestamp: number;
  readonly connected: boolean;
  readonly relayed: boolean;
  readonly transceivers: readonly VirtualTransceiver[];
  /** The quality of the media. Null while there is no path. */
  readonly flows: { readonly incoming: Flow; readonly outgoing: Flow } | null;
  readonly random: () => number;
}

const CODEC = {
  audio: { mimeType: 'audio/opus', payloadType: 111, clockRate: 48_000, channels: 2 },
  video: { mimeType: 'video/VP8', payloadType: 96, clockRate: 90_000 },
} as const;
/** Pictures per second, and packets per picture. */
const FRAME_RATE = 24;
const PACKETS_A_FRAME = 2;

/**
 * Returns a stats report (W3C webrtc-stats) with the entries and units of browsers. Its totals come from the
 * counters.
 */
export function buildStatsReport(source: StatsSource): RTCStatsReport {
  const { timestamp, connected, relayed, transceivers, flows, random } = source;
  const report = new Map<string, Record<string, unknown>>();
  const add = (id: string, type: string, values: Record<string, unknown>) =>
    report.set(id, { id, type, timestamp, ...values });
  // Measured values vary by a tenth up or down, as real ones do.
  const about = (value: number) => value * (0.9 + 0.2 * random());
  const rtt = about((flows?.incoming.rttMs ?? 0) / 1000);
  add('T', 'transport', {
    dtlsState: connected ? 'connected' : 'connecting',
    ...(flows ? { selectedCandidatePairId: 'CP' } : {}),
  });
  if (flows) {
    const type = relayed ? 'relay' : 'host';
    add('CP', 'candidate-pair', {
      state: connected ? 'succeeded' : 'in-progress',
      nominated: true,
      localCandidateId: 'LC',
      remoteCandidateId: 'RC',
      currentRoundTripTime: rtt,
    });
    const candidate = { candidateType: type, protocol: 'udp', port: 50_000, ip: '192.0.2.1', address: '192.0.2.1' };
    add('LC', 'local-candidate', {
      ...candidate,
      networkType: 'ethernet',
      ...(relayed ? { relayProtocol: 'udp' } : {}),
    });
    add('RC', 'remote-candidate', candidate);
  }
  for (const { kind, mid, sender, sent, received } of transceivers) {
    if (mid === null) continue;
    const packetsSent = Math.floor(sent.packets);
    const packetsReceived = Math.floor(received.packets);
    const packetsLost = Math.floor(received.lost);
    const jitter = about((flows?.incoming.jitterMs ?? 0) / 1000);
    const codecId = `C-${mid}`;
    add(codecId, 'codec', CODEC[kind]);
    if (sender.track) add(`MS-${mid}`, 'media-source', { kind, trackIdentifier: sender.track.id });
    add(`OUT-${mid}`, 'outbound-rtp', {
      kind,
      mid,
      codecId,
      packetsSent,
      bytesSent: packetsSent * PACKET_BYTES[kind],
      nackCount: 0,
      ...(kind === 'video' ? { framesSent: frames(packetsSent), framesEncoded: frames(packetsSent), ...PICTURE } : {}),
    });
    add(`IN-${mid}`, 'inbound-rtp', {
      kind,
      mid,
      codecId,
      packetsReceived,
      packetsLost,
      bytesReceived: packetsReceived * PACKET_BYTES[kind],
      jitter,
      jitterBufferDelay: packetsReceived * jitter,
      jitterBufferEmittedCount: packetsReceived,
      ...(kind === 'video' ? pictures(packetsReceived) : { totalSamplesReceived: packetsReceived * 960 }),
    });
    // The other side's report on what this side sends.
    const lossShare = flows?.outgoing.lost ?? 0;
    add(`RIN-${mid}`, 'remote-inbound-rtp', {
      kind,
      codecId,
      localId: `OUT-${mid}`,
      roundTripTime: rtt,
      packetsLost: Math.floor(packetsSent * lossShare),
      fractionLost: lossShare,
      jitter,
    });
  }
  return report;
}

const PICTURE = { frameWidth: 1280, frameHeight: 720, framesPerSecond: FRAME_RATE } as const;

const frames = (packets: number) => Math.floor(packets / PACKETS_A_FRAME);

const pictures = (packets: number) => ({
  ...PICTURE,
  framesReceived: frames(packets),
  framesDecoded: frames(packets),
  framesDropped: 0,
  freezeCount: 0,
  totalDecodeTime: frames(packets) * 0.004,
});
