/** Runs in the page: makes tracks that a test can tell apart. */

const RATE = 48_000;

/** Makes the track of a microphone with one tone. */
export function microphone(frequency: number): MediaStreamTrack {
  const context = new AudioContext({ sampleRate: RATE });
  const oscillator = new OscillatorNode(context, { frequency });
  const destination = context.createMediaStreamDestination();
  oscillator.connect(new GainNode(context, { gain: 0.5 })).connect(destination);
  oscillator.start();
  return only(destination.stream);
}

export function only(stream: MediaStream): MediaStreamTrack {
  const [track] = stream.getTracks();
  if (!track) throw new Error('the stream has no track');
  return track;
}

export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('there is no canvas here');
  return context;
}
