/** The sound and picture that a device of a real world receives in each call, measured over the last moments. */
import type { Clock } from '../../../src/common/clock.ts';
import { type ReceivedMedia, type MediaMeter, toneOf } from '../../../sim/scenario/actor/received-media.ts';
import type { RtcPeerConnection, RtcPort } from '../../../src/calls/platform/rtc.ts';
import { listenTo, watch } from '../../headless/media/sinks.ts';
import { type ChordMeter, createChordMeter } from '../../headless/signals/chord-meter.ts';
import { createFrameMeter, type FrameMeter, type FrameReading } from '../../headless/signals/frame-meter.ts';
import { createToneMeter, type ToneMeter } from '../../headless/signals/tone-meter.ts';

/** A reading covers a span of this length, milliseconds. It is that of the last complete span. */
const SPAN_MS = 600;
/** Tones are rounded to ten hertz. */
const ROUNDED_TO_HZ = 10;

/** The meters of a device. Without `isRead` they start at the first reading, so unread media costs nothing. */
export interface MeasuredMedia {
  /** Peer connections with meters, which replace the inner ones. */
  readonly rtc: RtcPort;
  /** Reads the media of one connection. Each has its own meters, so a held call cannot silence another one. */
  readonly received: MediaMeter;
  stop(): void;
}

/** The meters of one connection. */
interface Measured {
  readonly media: ReceivedMedia;
  add(track: MediaStreamTrack): void;
}

export interface MeterOptions {
  /** Times the spans. */
  readonly clock: Pick<Clock, 'now'>;
  /** The devices, in the order of their tones. */
  readonly names: readonly string[];
  /** Whether the scenario reads the media: then the first reading has a complete span. */
  readonly isRead: boolean;
}

/** Creates the meters of a device. */
export function measuredMedia(inner: RtcPort, { clock, names, isRead }: MeterOptions): MeasuredMedia {
  const tracks = new WeakMap<RtcPeerConnection, MediaStreamTrack[]>();
  const measured = new Map<RtcPeerConnection, Measured>();
  const sinks: { stop(): void }[] = [];

  const measure = (connection: RtcPeerConnection): Measured => {
    const one = meters((sink) => sinks.push(sink), clock, names);
    measured.set(connection, one);
    for (const track of tracks.get(connection) ?? []) one.add(track);
    return one;
  };
  return {
    rtc: {
      createPeerConnection(configuration) {
        const made = inner.createPeerConnection(configuration);
        const own: MediaStreamTrack[] = [];
        tracks.set(made, own);
        if (isRead) measure(made);
        made.addEventListener('track', ({ track }) => {
          own.push(track);
          measured.get(made)?.add(track);
        });
        return made;
      },
      createMediaStream: (of) => inner.createMediaStream(of),
      createAudioElement: () => inner.createAudioElement(),
    },
    received: (connection) => (measured.get(connection) ?? measure(connection)).media,
    stop() {
      for (const sink of sinks.splice(0)) sink.stop();
    },
  };
}

/** A meter of a tone, which also notices any other sound. */
interface SoundMeter extends ToneMeter {
  hasSound(): boolean;
}

function createSoundMeter(): SoundMeter {
  let hasSound = false;
  const meter = createToneMeter(undefined, (window) => {
    if (window) hasSound = true;
  });
  return { ...meter, hasSound: () => hasSound };
}

function meters(
  started: (sink: { stop(): void }) => void,
  clock: Pick<Clock, 'now'>,
  names: readonly string[],
): Measured {
  const tones = names.map((_, nth) => toneOf(nth));
  const chord = recent<ChordMeter, readonly string[]>(
    clock,
    () => createChordMeter(tones),
    (meter) => meter.reading().map((heard) => names[tones.indexOf(heard)] ?? ''),
  );
  const tone = recent<SoundMeter, { readonly hertz: number; readonly hasSound: boolean }>(
    clock,
    createSoundMeter,
    (meter) => {
      const { ok, frequency } = meter.reading();
      const hertz = ok && frequency !== null ? Math.round(frequency / ROUNDED_TO_HZ) * ROUNDED_TO_HZ : 0;
      return { hertz, hasSound: meter.hasSound() };
    },
  );
  const frames = recent<FrameMeter, Pick<FrameReading, 'fps' | 'ok' | 'moved'>>(clock, createFrameMeter, (meter) =>
    meter.reading(),
  );
  return {
    media: {
      get heard() {
        return chord.last() ?? [];
      },
      get seen() {
        return null;
      },
      get tone() {
        return tone.last()?.hertz ?? 0;
      },
      get fps() {
        return Math.round(frames.last()?.fps ?? 0);
      },
      get marker() {
        return frames.last()?.ok === true ? 'advancing' : 'none';
      },
      get any() {
        return { sound: tone.last()?.hasSound ?? false, motion: (frames.last()?.moved ?? 0) > 0 };
      },
    },
    add(track) {
      if (track.readyState === 'ended') return;
      started(
        track.kind === 'audio'
          ? listenTo(track, {
              add(...heard) {
                tone.meter().add(...heard);
                chord.meter().add(...heard);
              },
            })
          : watch(track, { add: (...seen) => frames.meter().add(...seen) }, clock),
      );
    },
  };
}

/** A meter for consecutive spans, and the result of the last complete span. */
function recent<M, R>(clock: Pick<Clock, 'now'>, create: () => M, read: (meter: M) => R) {
  let meter = create();
  let began = clock.now();
  let last: R | undefined;
  const turn = () => {
    const passed = clock.now() - began;
    if (passed < SPAN_MS) return;
    // Nothing arrived for longer than a span, so the last span was empty.
    last = passed < 2 * SPAN_MS ? read(meter) : undefined;
    meter = create();
    began = clock.now();
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
