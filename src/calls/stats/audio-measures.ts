import { lossRate, type CallStats } from './call-stats.ts';

/** What the audio goes through, over the time since the sample before; null is what is not known. Times are milliseconds. */
export interface AudioMeasures {
  /** Lost packets of what is heard here, as a share of those that should have come, 0 to 1. */
  readonly packetLoss: number | null;
  /** As the other side reports it of what is sent; until it does, that of what is heard here. */
  readonly jitter: number | null;
  /** As the other side's reports tell it; until they do, that of the connection's own checks. */
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
