/** The quality of a path for media, the same in both directions. */
export interface PathQuality {
  /** The share of packets that is lost, from 0 to 1. */
  readonly lossRate: number;
  /** The length of a burst of losses. Milliseconds. 0: losses are evenly spread. */
  readonly burstMs: number;
  readonly rttMs: number;
  readonly jitterMs: number;
  /** The share of packets that arrives twice. */
  readonly duplicates: number;
  /** The share of packets that arrives after its successor. */
  readonly reordered: number;
  /** The capacity of each direction, in kilobits per second. */
  readonly kbps: number;
}

export const GOOD_PATH: PathQuality = {
  lossRate: 0,
  burstMs: 0,
  rttMs: 20,
  jitterMs: 2,
  duplicates: 0,
  reordered: 0,
  kbps: Number.POSITIVE_INFINITY,
};

/** The delay of a packet that was overtaken: one packet of sound. Milliseconds. */
const PACKET_MS = 20;
/** The delay of a full queue. Milliseconds. */
const QUEUE_MS = 200;

/** The quality of one direction of a path over a span of time. */
export interface Flow {
  /** Shares from 0 to 1. */
  readonly lost: number;
  readonly duplicated: number;
  readonly rttMs: number;
  readonly jitterMs: number;
}

/**
 * Returns the quality of one direction. @param span - its start and end in milliseconds, and in `kbps` the bit rate
 * that is sent.
 */
export function flowOf(
  quality: PathQuality,
  kbps: number,
  span?: { readonly from: number; readonly to: number },
): Flow {
  const excess = kbps > quality.kbps ? 1 - quality.kbps / kbps : 0;
  const lost = span ? lossBetween(quality, span.from, span.to) : quality.lossRate;
  return {
    lost: excess === 0 ? lost : 1 - (1 - lost) * (1 - excess),
    duplicated: quality.duplicates,
    rttMs: quality.rttMs + (excess > 0 ? QUEUE_MS : 0),
    // An overtaken packet is late once, and makes the one before it early once (RFC 3550, 6.4.1).
    jitterMs: quality.jitterMs + 2 * quality.reordered * PACKET_MS,
  };
}

/** Returns the share lost between two moments. Bursts have equal distances, as often as the rate requires. */
function lossBetween({ lossRate, burstMs }: PathQuality, from: number, to: number): number {
  if (lossRate === 0 || lossRate === 1 || burstMs === 0 || to <= from) return lossRate;
  const cycle = burstMs / lossRate;
  const lostUntil = (at: number) => Math.floor(at / cycle) * burstMs + Math.min(at % cycle, burstMs);
  return (lostUntil(to) - lostUntil(from)) / (to - from);
}
