/** What a device of a real world hears and sees, measured by content over the last moments. */
import type { MediaSight } from '../../../sim/scenario/actor/media-sight.ts';
import type { RtcPort } from '../../../src/calls/platform/rtc.ts';
import { listenTo, watch } from '../../headless/media/sinks.ts';
import { createFrameMeter, type FrameMeter } from '../../headless/signals/frame-meter.ts';
import { createToneMeter, type ToneMeter } from '../../headless/signals/tone-meter.ts';

/** A reading is of a span like this, milliseconds, and of one that is over: the last. */
const SPAN_MS = 600;
/** Tones are told to the nearest ten hertz. */
const ROUNDED_TO_HZ = 10;

/** Measured from the first time that it is asked for on: what nobody looks at costs nothing. */
export interface MeasuredMedia extends MediaSight {
  /** The peer connections to measure, in place of the inner ones. */
  readonly rtc: RtcPort;
  stop(): void;
}

export function measuredMedia(inner: RtcPort): MeasuredMedia {
  const tracks: MediaStreamTrack[] = [];
  const sinks: { stop(): void }[] = [];
  const tone = recent<ToneMeter, number>(createToneMeter, (meter) => {
    const { ok, frequency } = meter.reading();
    return ok && frequency !== null ? Math.round(frequency / ROUNDED_TO_HZ) * ROUNDED_TO_HZ : 0;
  });
  const frames = recent<FrameMeter, { readonly fps: number; readonly ok: boolean }>(createFrameMeter, (meter) =>
    meter.reading(),
  );
  let isMeasuring = false;
  const measure = (track: MediaStreamTrack) => {
    if (track.readyState === 'ended') return;
    sinks.push(
      track.kind === 'audio'
        ? listenTo(track, { add: (...heard) => tone.meter().add(...heard), reading: () => tone.meter().reading() })
        : watch(track, { add: (...seen) => frames.meter().add(...seen), reading: () => frames.meter().reading() }),
    );
  };
  const begin = () => {
    if (!isMeasuring) tracks.forEach(measure);
    isMeasuring = true;
  };
  return {
    rtc: {
      createPeerConnection(configuration) {
        const made = inner.createPeerConnection(configuration);
        made.addEventListener('track', ({ track }) => {
          tracks.push(track);
          if (isMeasuring) measure(track);
        });
        return made;
      },
      createMediaStream: (of) => inner.createMediaStream(of),
    },
    get tone() {
      begin();
      return tone.last() ?? 0;
    },
    get fps() {
      begin();
      return Math.round(frames.last()?.fps ?? 0);
    },
    get marker() {
      begin();
      return frames.last()?.ok === true ? 'advancing' : 'none';
    },
    stop() {
      for (const sink of sinks.splice(0)) sink.stop();
    },
  };
}

/** A meter for one span after another, and what the last whole span came to. */
function recent<M, R>(create: () => M, read: (meter: M) => R) {
  let meter = create();
  let began = performance.now();
  let last: R | undefined;
  const turn = () => {
    const passed = performance.now() - began;
    if (passed < SPAN_MS) return;
    // Nothing came for longer than a span: then the last span had nothing.
    last = passed < 2 * SPAN_MS ? read(meter) : undefined;
    meter = create();
    began = performance.now();
  };
  return {
    meter: (): M => {
      turn();
      return meter;
    },
    last: (): R | undefined => {
      turn();
      return last;
    },
  };
}
