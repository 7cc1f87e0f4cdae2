import { resume } from './after-gesture.ts';

/** Several tracks heard as one. The mix lives until it is released, whatever becomes of its tracks. */
export function mixAudio(tracks: readonly MediaStreamTrack[]): { track: MediaStreamTrack; release: () => void } {
  const context = new AudioContext();
  const destination = new MediaStreamAudioDestinationNode(context);
  const streams = tracks.map((track) => new MediaStream([track]));
  for (const mediaStream of streams) new MediaStreamAudioSourceNode(context, { mediaStream }).connect(destination);
  // Chromium lets sound from a peer connection flow only where an element takes it.
  const takers = streams.map((stream) => {
    const audio = new Audio();
    audio.muted = true;
    audio.srcObject = stream;
    audio.play().catch(() => undefined);
    return audio;
  });
  // Before the first gesture on a page this waits for it. Closing ends the wait.
  resume(context).catch(() => undefined);
  const [track] = destination.stream.getAudioTracks();
  if (!track) throw new Error('audio gave no track');
  return {
    track,
    release: () => {
      for (const audio of takers) audio.srcObject = null;
      track.stop();
      void context.close();
    },
  };
}
