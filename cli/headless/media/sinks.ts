/** The meters of a headless caller for received tracks. */
import type { Clock } from '../../../src/common/clock.ts';
import type { FrameMeter } from '../signals/frame-meter.ts';
import { createMotionSense } from '../signals/motion.ts';
import { readMarker } from '../signals/marker.ts';
import type { ToneMeter } from '../signals/tone-meter.ts';
import { wrtc } from './wrtc.ts';

/** The meter of a track. Stop it before the peer connection closes. */
export interface MediaSink {
  stop(): void;
}

/** Measures the sound of an audio track. */
export function listenTo(track: MediaStreamTrack, meter: Pick<ToneMeter, 'add'>): MediaSink {
  const sink = new wrtc.nonstandard.RTCAudioSink(track);
  sink.ondata = (data) => meter.add(data.samples, data.sampleRate, data.channelCount);
  return { stop: () => sink.stop() };
}

/** Measures the pictures of a video track, at the times of `clock`. */
export function watch(track: MediaStreamTrack, meter: Pick<FrameMeter, 'add'>, clock: Pick<Clock, 'now'>): MediaSink {
  const sink = new wrtc.nonstandard.RTCVideoSink(track);
  const hasMoved = createMotionSense();
  sink.onframe = ({ frame: { data, width, height } }) => {
    const marker = readMarker(data, width, height);
    meter.add(clock.now(), marker, width, height, marker === null && hasMoved(data, width, height));
  };
  return { stop: () => sink.stop() };
}
