/** The ears and eyes of a headless caller: received tracks, measured. */
import { createFrameMeter, type FrameMeter } from '../signals/frame-meter.ts';
import { readMarker } from '../signals/marker.ts';
import { createToneMeter, type ToneMeter } from '../signals/tone-meter.ts';
import { wrtc } from './wrtc.ts';

/** A measured track. Stop it before the peer connection closes. */
export interface MediaSink<Meter> {
  readonly meter: Meter;
  stop(): void;
}

/** Measures the tone in an audio track. */
export function listenTo(track: MediaStreamTrack, meter: ToneMeter = createToneMeter()): MediaSink<ToneMeter> {
  const sink = new wrtc.nonstandard.RTCAudioSink(track);
  sink.ondata = (data) => meter.add(data.samples, data.sampleRate, data.channelCount);
  return { meter, stop: () => sink.stop() };
}

/** Measures the pictures of a video track. */
export function watch(track: MediaStreamTrack, meter: FrameMeter = createFrameMeter()): MediaSink<FrameMeter> {
  const sink = new wrtc.nonstandard.RTCVideoSink(track);
  sink.onframe = ({ frame }) => {
    meter.add(performance.now(), readMarker(frame.data, frame.width, frame.height), frame.width, frame.height);
  };
  return { meter, stop: () => sink.stop() };
}
