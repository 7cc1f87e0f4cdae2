/**
 * One look at the statistics of a call (§3, call stats). Counters run from the start of the peer connection; times are
 * milliseconds; null is what the engine does not tell, or does not know yet.
 */
export interface CallStats {
  /** When the sample was taken, on the library's clock. */
  readonly at: number;
  readonly transport: TransportStats;
  readonly audio: AudioStats;
  readonly video: VideoStats;
  /** Mean opinion score of the audio since the sample before; null while it cannot be told. */
  readonly mos: number | null;
}

export interface TransportStats {
  readonly networkType: string | null;
  /** `udp` or `tcp`. */
  readonly protocol: string | null;
  /** host, srflx, prflx or relay (RFC 8445). */
  readonly candidateType: string | null;
  readonly remoteCandidateType: string | null;
  /** How the relay is reached; null without one. */
  readonly relayProtocol: string | null;
  readonly roundTripTime: number | null;
}

export interface SentStats {
  readonly codec: string | null;
  readonly packets: number;
  readonly bytes: number;
  /** What the other side reports of this stream; null until its first report. */
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
  /** Mean wait in the jitter buffer. */
  readonly jitterBuffer: number | null;
  /** What came since the sample before. */
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
  /** Null where the engine does not count freezes. */
  readonly freezeCount: number | null;
  /** Mean of one frame. */
  readonly decodeTime: number | null;
}

interface FrameSize {
  readonly frameWidth: number | null;
  readonly frameHeight: number | null;
}

/** Lost packets as a share of those that should have come, 0 to 1; null where none should have. */
export function lossRate({ packets, packetsLost }: { packets: number; packetsLost: number }): number | null {
  const expected = packets + packetsLost;
  return expected === 0 ? null : packetsLost / expected;
}
