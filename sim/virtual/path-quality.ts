/** What a path does to media, whichever way it goes. */
export interface PathQuality {
  /** A share from 0 to 1. */
  readonly lossRate: number;
  /** Losses come in bursts of this length, milliseconds; 0: evenly. */
  readonly burstMs: number;
  readonly rttMs: number;
  readonly jitterMs: number;
  /** The share that comes twice. */
  readonly duplicates: number;
  /** The share that is overtaken by the packet behind it. */
  readonly reordered: number;
  /** What fits through each way, kilobits a second. */
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

/** A packet that was overtaken comes later by one packet of sound, milliseconds. */
const PACKET_MS = 20;
/** A queue that is full makes everything later by this, milliseconds. */
const QUEUE_MS = 200;

/** What one way of a path did to media for a while. */
export interface Flow {
  /** Shares from 0 to 1. */
  readonly lost: number;
  readonly duplicated: number;
  readonly rttMs: number;
  readonly jitterMs: number;
}

/** @param span - from when to when, milliseconds; `kbps` is what is sent. */
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

/** The share lost between two moments: bursts come at even distances, as often as the rate needs. */
function lossBetween({ lossRate, burstMs }: PathQuality, from: number, to: number): number {
  if (lossRate === 0 || lossRate === 1 || burstMs === 0 || to <= from) return lossRate;
  const cycle = burstMs / lossRate;
  const lostUntil = (at: number) => Math.floor(at / cycle) * burstMs + Math.min(at % cycle, burstMs);
  return (lostUntil(to) - lostUntil(from)) / (to - from);
}
