/** The figures of a call: of each second, and of the whole call at its end. Pure. */
import { audioMos } from '../../../src/calls/stats/mos.ts';
import { LIMITS } from '../../../src/protocol/limits.ts';
import type { AudioReading, MediaState, QualityReport, Second, SecondsReport, VideoReading } from '../messages.ts';
import type { FrameSpan } from '../signals/frame-meter.ts';
import { AudioFigures } from './audio-figures.ts';
import type { SoundSpan } from './sound-span.ts';
import { Spread } from './spread.ts';
import type { Arrived } from './stream-loss.ts';
import { VideoFigures } from './video-figures.ts';

/** The measurements of one second. Times are in milliseconds. */
export interface Measured {
  /** The end of the second, since the call connected. */
  readonly endMs: number;
  readonly ms: number;
  readonly audio: { readonly state: MediaState; readonly heard: SoundSpan; readonly arrived: Arrived | null };
  readonly video: { readonly state: MediaState; readonly seen: FrameSpan; readonly arrived: Arrived | null };
  /** Jitter and round trip, as the engine reports them. Null when it reports none. */
  readonly path: PathFigures;
}

export interface PathFigures {
  readonly jitter: number | null;
  readonly rtt: number | null;
  /** The jitter that the other side reports, if any. The library estimates the quality with it. */
  readonly remoteJitter: number | null;
}

/**
 * True for the shorter rest at the end of a call. It counts in sums, but has no score and is not compared with seconds.
 */
const SHORTEST_SECOND_MS = 500;

export class CallFigures {
  readonly #audio = new AudioFigures();
  readonly #video: VideoFigures | null;
  readonly #mos = new Spread('high', 0.1);
  readonly #loss = new Spread('low', 0.001);
  readonly #jitter = new Spread('low', 1);
  readonly #rtt = new Spread('low', 1);
  readonly #fps = new Spread('high', 0.1);
  readonly #videoLoss = new Spread('low', 0.001);
  #count = 0;
  #scores = 0;
  #scoredMs = 0;

  constructor(hasVideo: boolean) {
    this.#video = hasVideo ? new VideoFigures() : null;
  }

  /** Adds a second. Returns its figures for display. */
  add({ endMs, ms, audio, video, path }: Measured): Second {
    const sound = this.#audio.add(ms, audio);
    const picture = this.#video?.add(ms, video);
    // Without packets, the engine repeats its last measurement.
    const isAlive = (audio.arrived?.packets ?? 0) > 0 || (video.arrived?.packets ?? 0) > 0;
    const jitter = (audio.arrived?.packets ?? 0) > 0 ? path.jitter : null;
    const rtt = isAlive ? path.rtt : null;
    // A pause of speech may fill a short rest, which is not a second of silence.
    const mos = ms < SHORTEST_SECOND_MS ? null : scoreOf(audio.state, sound, path);
    if (mos !== null) {
      this.#scores += mos * ms;
      this.#scoredMs += ms;
    }
    if (ms >= SHORTEST_SECOND_MS) {
      this.#count += 1;
      this.#mos.add(mos, endMs);
      this.#loss.add(sound.loss, endMs);
      this.#jitter.add(jitter, endMs);
      this.#rtt.add(rtt, endMs);
      if (picture?.state === 'due') this.#fps.add(picture.fps, endMs);
      this.#videoLoss.add(picture?.loss ?? null, endMs);
    }
    const { level, silentMs, loss, state, tone, carried } = sound;
    return {
      endMs,
      ms,
      audio: { state, tone, carried, level, silentMs, loss, jitter, mos },
      ...(picture ? { video: picture } : {}),
      rtt,
    };
  }

  received(): { audio: AudioReading; video?: VideoReading } {
    return { audio: this.#audio.reading(), ...(this.#video ? { video: this.#video.reading() } : {}) };
  }

  quality(): QualityReport {
    return {
      loss: this.#audio.reading().loss,
      rtt: this.#rtt.figures()?.p50 ?? null,
      jitter: this.#jitter.figures()?.p50 ?? null,
      mos: this.#scoredMs === 0 ? null : Math.round((this.#scores / this.#scoredMs) * 10) / 10,
    };
  }

  seconds(): SecondsReport {
    return {
      count: this.#count,
      mos: this.#mos.figures(),
      loss: this.#loss.figures(),
      jitter: this.#jitter.figures(),
      rtt: this.#rtt.figures(),
      fps: this.#fps.figures(),
      videoLoss: this.#videoLoss.figures(),
    };
  }
}

/** Returns the minimum score for silence. The estimate of the library rates only the path, which may carry no sound. */
function scoreOf(
  state: MediaState,
  { isSilent, loss }: { isSilent: boolean; loss: number | null },
  { jitter, rtt, remoteJitter }: PathFigures,
): number | null {
  if (state !== 'due') return null;
  if (isSilent) return LIMITS.mos.min;
  return audioMos({ packetLoss: loss ?? 0, remoteJitter: remoteJitter ?? jitter ?? 0, roundTripTime: rtt ?? 0 });
}
