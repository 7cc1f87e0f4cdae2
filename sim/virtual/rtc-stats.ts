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

type Values = Readonly<Record<string, unknown>>;
/** An entry of a report, without its timestamp. */
type Entry = readonly [id: string, type: string, values: Values];

/**
 * Returns a stats report (W3C webrtc-stats) with the entries and units of browsers. Its totals come from the
 * counters.
 */
export function buildStatsReport(source: StatsSource): RTCStatsReport {
  const { timestamp, transceivers, flows, random } = source;
  // Measured values vary by a tenth up or down, as real ones do.
  const about = (value: number) => value * (0.9 + 0.2 * random());
  const rtt = about((flows?.incoming.rttMs ?? 0) / 1000);
  const entries = pathEntries(source, rtt);
  for (const { mid, ...transceiver } of transceivers.map(countersOf)) {
    if (mid === null) continue;
    const jitter = about((flows?.incoming.jitterMs ?? 0) / 1000);
    entries.push(...streamEntries({ ...transceiver, mid }, { rtt, jitter, lossShare: flows?.outgoing.lost ?? 0 }));
  }
  return new Map(entries.map(([id, type, values]) => [id, { id, type, timestamp, ...values }]));
}

/** Returns the transport and, with a path, its candidate pair. */
function pathEntries({ connected, relayed, flows }: StatsSource, rtt: number): Entry[] {
  const dtlsState = connected ? 'connected' : 'connecting';
  if (!flows) return [['T', 'transport', { dtlsState }]];
  const candidate = {
    candidateType: relayed ? 'relay' : 'host',
    protocol: 'udp',
    port: 50_000,
    ip: '192.0.2.1',
    address: '192.0.2.1',
  };
  const pair = {
    state: connected ? 'succeeded' : 'in-progress',
    nominated: true,
    localCandidateId: 'LC',
    remoteCandidateId: 'RC',
    currentRoundTripTime: rtt,
  };
  const local = { ...candidate, networkType: 'ethernet', ...(relayed ? { relayProtocol: 'udp' } : {}) };
  return [
    ['T', 'transport', { dtlsState, selectedCandidatePairId: 'CP' }],
    ['CP', 'candidate-pair', pair],
    ['LC', 'local-candidate', local],
    ['RC', 'remote-candidate', candidate],
  ];
}

/** The counters of a transceiver, in whole packets. */
interface Counters extends Pick<VirtualTransceiver, 'kind'> {
  readonly trackId: string | undefined;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
}

const countersOf = ({ kind, mid, sender, sent, received }: VirtualTransceiver) => ({
  kind,
  mid,
  trackId: sender.track?.id,
  packetsSent: Math.floor(sent.packets),
  packetsReceived: Math.floor(received.packets),
  packetsLost: Math.floor(received.lost),
});

interface Quality {
  /** Seconds. */
  readonly rtt: number;
  readonly jitter: number;
  /** The share of the sent packets that is lost, 0 to 1. */
  readonly lossShare: number;
}

/** Returns the entries of one transceiver. */
function streamEntries(counters: Counters & { readonly mid: string }, quality: Quality): Entry[] {
  const { kind, mid, trackId, packetsSent, packetsReceived, packetsLost } = counters;
  const { rtt, jitter, lossShare } = quality;
  const codecId = `C-${mid}`;
  const outbound = {
    kind,
    mid,
    codecId,
    packetsSent,
    bytesSent: packetsSent * PACKET_BYTES[kind],
    nackCount: 0,
    ...(kind === 'video' ? { framesSent: frames(packetsSent), framesEncoded: frames(packetsSent), ...PICTURE } : {}),
  };
  const inbound = {
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
  };
  // The other side's report on what this side sends.
  const remote = {
    kind,
    codecId,
    localId: `OUT-${mid}`,
    roundTripTime: rtt,
    packetsLost: Math.floor(packetsSent * lossShare),
    fractionLost: lossShare,
    jitter,
  };
  const source: Entry[] =
    trackId === undefined ? [] : [[`MS-${mid}`, 'media-source', { kind, trackIdentifier: trackId }]];
  return [
    [codecId, 'codec', CODEC[kind]],
    ...source,
    [`OUT-${mid}`, 'outbound-rtp', outbound],
    [`IN-${mid}`, 'inbound-rtp', inbound],
    [`RIN-${mid}`, 'remote-inbound-rtp', remote],
  ];
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
