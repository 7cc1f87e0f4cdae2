import { LIMITS } from '../../protocol/limits.ts';

/** The inputs of an estimate of audio quality. */
export interface AudioPath {
  /** The share of sent packets that were lost, 0 to 1. */
  readonly packetLoss: number;
  /** The jitter that the other side reports, milliseconds. */
  readonly remoteJitter: number;
  /** The round-trip time, milliseconds. */
  readonly roundTripTime: number;
}

/** R of a faultless narrow-band connection: ITU-T G.107, all parameters at their defaults. */
const FAULTLESS = 93.2;
/**
 * One-way delay beyond which conversation suffers, milliseconds (knee of Idd, ITU-T G.107 §7.4, as commonly
 * linearised).
 */
const DELAY_KNEE_MS = 177.3;
/** The time for coding, packetising and playout, milliseconds: one Opus frame and its look-ahead on each side. */
const CODEC_DELAY_MS = 50;
/** Packet-loss robustness, percent: Opus conceals about as well as G.729A with its concealment (G.113, appendix I). */
const ROBUSTNESS = 19;

const { min: MIN, max: MAX } = LIMITS.mos;

const oneDecimal = (score: number) => Math.round(score * 10) / 10;

const sane = (value: number) => (Number.isFinite(value) && value > 0 ? value : 0);

/**
 * Returns the mean opinion score of an audio path, 1 to 4.5 with one decimal (§9): the E-model of ITU-T G.107 reduced
 * to delay and loss. A jitter buffer holds twice the jitter, which makes jitter a delay.
 */
export function audioMos({ packetLoss, remoteJitter, roundTripTime }: AudioPath): number {
  const delay = sane(roundTripTime) / 2 + 2 * sane(remoteJitter) + CODEC_DELAY_MS;
  const delayImpairment = 0.024 * delay + 0.11 * Math.max(0, delay - DELAY_KNEE_MS);
  const lossPercent = Math.min(1, sane(packetLoss)) * 100;
  const lossImpairment = (95 * lossPercent) / (lossPercent + ROBUSTNESS);
  return oneDecimal(opinion(FAULTLESS - delayImpairment - lossImpairment));
}

/**
 * Converts R to a mean opinion score, with its bounds (G.107, annex B). The curve dips below 1 by less than the
 * rounding.
 */
function opinion(r: number): number {
  if (r <= 0) return MIN;
  if (r >= 100) return MAX;
  return 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6;
}

/** Returns the mean of scores, rounded to one decimal. Null without scores. */
export function meanMos(scores: readonly number[]): number | null {
  if (scores.length === 0) return null;
  return oneDecimal(scores.reduce((sum, mos) => sum + mos, 0) / scores.length);
}
