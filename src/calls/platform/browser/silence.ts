import type { Clock } from '../../../common/clock.ts';
import { resume } from './after-gesture.ts';
import { whileLive } from './while-live.ts';

/** Returns a live track that sends silence: an oscillator with gain 0. */
export function silence(clock: Clock): MediaStreamTrack {
  const context = new AudioContext();
  const oscillator = new OscillatorNode(context);
  const destination = new MediaStreamAudioDestinationNode(context);
  oscillator.connect(new GainNode(context, { gain: 0 })).connect(destination);
  oscillator.start();
  // Before the first gesture on a page this waits for it. The track is live all the same. Closing ends the wait.
  resume(context).catch(() => undefined);
  const [track] = destination.stream.getAudioTracks();
  if (!track) throw new Error('audio gave no track');
  whileLive(track, clock, { release: () => void context.close() });
  return track;
}
