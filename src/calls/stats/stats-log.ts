import type { StatsLog } from '../../protocol/client-logs.ts';
import type { CallStats, ReceivedStats, SentStats } from './call-stats.ts';
import type { StatsInterval } from './sampler.ts';

/** The facts of a call beside its statistics. */
export type StatsLogFacts = Omit<StatsLog, 'app_id' | 'metadata' | 'transport' | 'audio' | 'video' | 'mos'>;

type Audio = NonNullable<StatsLog['audio']['sent']>;
type Heard = NonNullable<StatsLog['audio']['received']>;

/** Returns the statistics of one interval in their uploaded form (§3, call stats and stats log fields). Pure. */
export function statsLog(
  facts: StatsLogFacts,
  { stats, measures, mos, interval }: StatsInterval,
): Omit<StatsLog, 'app_id'> {
  return {
    ...facts,
    metadata: { measure_count: measures, interval },
    transport: transportLog(stats),
    audio: {
      sent: stats.audio.sent && sentLog(stats.audio.sent),
      received: stats.audio.received && receivedLog(stats.audio.received),
    },
    video: videoLog(stats),
    mos,
  };
}

function transportLog({ transport }: CallStats): StatsLog['transport'] {
  const { networkType, protocol, candidateType, remoteCandidateType, relayProtocol, roundTripTime } = transport;
  return {
    network_type: networkType,
    protocol,
    candidate_type: candidateType,
    remote_candidate_type: remoteCandidateType,
    relay_protocol: relayProtocol,
    rtt: roundTripTime,
  };
}

function sentLog({ codec, packets, bytes, reported }: SentStats): Audio {
  return {
    codec,
    packets,
    bytes,
    reported: reported && {
      packets_lost: reported.packetsLost,
      jitter: reported.jitter,
      rtt: reported.roundTripTime,
    },
  };
}

function receivedLog({ codec, packets, bytes, packetsLost, jitter, jitterBuffer }: ReceivedStats): Heard {
  return { codec, packets, bytes, packets_lost: packetsLost, jitter, jitter_buffer: jitterBuffer };
}

function videoLog({ video: { sent, received } }: CallStats): StatsLog['video'] {
  return {
    sent: sent && { ...sentLog(sent), ...frameLog(sent) },
    received: received && {
      ...receivedLog(received),
      ...frameLog(received),
      frames_decoded: received.framesDecoded,
      frames_dropped: received.framesDropped,
      freeze_count: received.freezeCount,
      decode_time: received.decodeTime,
    },
  };
}

const frameLog = ({
  frames,
  frameWidth,
  frameHeight,
  fps,
}: NonNullable<CallStats['video']['sent'] | CallStats['video']['received']>) => ({
  frames,
  frame_width: frameWidth,
  frame_height: frameHeight,
  fps,
});
