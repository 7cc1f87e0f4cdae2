/** Microphones with a tone. The browser's simulated microphone beeps, and that of every device the same. */

/** Returns a function that replaces the opened microphone by one with a tone, with the properties of the opened one. */
export function toneMicrophone(hertz: number): (opened: MediaStreamTrack) => MediaStreamTrack {
  let source: AudioNode | undefined;
  return (opened) => {
    source ??= startTone(hertz);
    const end = new MediaStreamAudioDestinationNode(source.context as AudioContext);
    source.connect(end);
    const [track] = end.stream.getAudioTracks();
    if (!track) throw new Error('this browser has no sound');
    const [settings, { label }, stop] = [opened.getSettings(), opened, track.stop.bind(track)];
    opened.stop();
    Object.defineProperty(track, 'label', { value: label });
    track.getSettings = () => settings;
    track.stop = () => {
      source?.disconnect(end);
      stop();
    };
    return track;
  };
}

function startTone(frequency: number): AudioNode {
  const context = new AudioContext();
  const tone = new OscillatorNode(context, { frequency });
  // Eight tones together do not clip.
  const quiet = new GainNode(context, { gain: 0.1 });
  tone.connect(quiet);
  tone.start();
  return quiet;
}
