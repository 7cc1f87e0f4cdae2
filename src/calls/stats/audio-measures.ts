import { lossRate, type CallStats } from './call-stats.ts';

/** The path of the audio since the former sample. Null stands for an unknown value. Times are milliseconds. */
export interface AudioMeasures {
  /** The share of expected packets of the received audio that were lost, 0 to 1. */
  readonly packetLoss: number | null;
  /** The jitter of the sent audio as the other side reports it, else that of the received audio. */
  readonly jitter: number | null;
  /** The round trip as the other side reports it, else that of the connection's own checks. */
  readonly roundTripTime: number | null;
}

export function audioMeasures({
  audio: { sent, received },
  transport,
}: Pick<CallStats, 'audio' | 'transport'>): AudioMeasures {
  return {
    packetLoss: received && lossRate(received.recent),
    jitter: sent?.reported?.jitter ?? received?.jitter ?? null,
    roundTripTime: sent?.reported?.roundTripTime ?? transport.roundTripTime,
  };
}
