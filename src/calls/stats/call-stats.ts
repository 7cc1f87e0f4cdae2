/**
 * One sample of the statistics of a call (§3, call stats). Counters run from the start of the peer connection. Times
 * are milliseconds. Null stands for a value that the engine does not report, or not yet.
 */
export interface CallStats {
  /** When the sample was taken, on the library's clock. */
  readonly at: number;
  readonly transport: TransportStats;
  readonly audio: AudioStats;
  readonly video: VideoStats;
  /** The mean opinion score of the audio since the former sample. Null without a score. */
  readonly mos: number | null;
}

export interface TransportStats {
  readonly networkType: string | null;
  /** The transport: `udp` or `tcp`. */
  readonly protocol: string | null;
  /** The type of the candidate: host, srflx, prflx or relay (RFC 8445). */
  readonly candidateType: string | null;
  readonly remoteCandidateType: string | null;
  /** The transport to the relay. Null without one. */
  readonly relayProtocol: string | null;
  readonly roundTripTime: number | null;
}

export interface SentStats {
  readonly codec: string | null;
  readonly packets: number;
  readonly bytes: number;
  /** The other side's report about this stream. Null before its first report. */
  readonly reported: ReportedStats | null;
}

export interface ReportedStats {
  readonly packetsLost: number;
  readonly jitter: number | null;
  readonly roundTripTime: number | null;
}

export interface ReceivedStats {
  readonly codec: string | null;
  readonly packets: number;
  readonly bytes: number;
  readonly packetsLost: number;
  readonly jitter: number | null;
  /** The mean wait in the jitter buffer. */
  readonly jitterBuffer: number | null;
  /** The counts since the former sample. */
  readonly recent: { readonly packets: number; readonly bytes: number; readonly packetsLost: number };
}

export interface AudioStats {
  readonly sent: SentStats | null;
  readonly received: ReceivedStats | null;
}

export interface VideoStats {
  readonly sent: (SentStats & FrameSize & { readonly frames: number; readonly fps: number | null }) | null;
  readonly received: ReceivedVideoStats | null;
}

export interface ReceivedVideoStats extends ReceivedStats, FrameSize {
  readonly frames: number;
  readonly framesDecoded: number;
  readonly framesDropped: number;
  readonly fps: number | null;
  /** The number of freezes. Null when the engine does not count them. */
  readonly freezeCount: number | null;
  /** The mean time to decode one frame. */
  readonly decodeTime: number | null;
}

interface FrameSize {
  readonly frameWidth: number | null;
  readonly frameHeight: number | null;
}

/** Returns the share of expected packets that were lost, 0 to 1. Null when none were expected. */
export function lossRate({ packets, packetsLost }: { packets: number; packetsLost: number }): number | null {
  const expected = packets + packetsLost;
  return expected === 0 ? null : packetsLost / expected;
}
