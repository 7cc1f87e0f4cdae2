import { resume } from './after-gesture.ts';

/** Several sounds heard as one track, which stays the same while the sounds change. */
export interface AudioMix {
  readonly track: MediaStreamTrack;
  /** Mixes these sounds from now on, and no others. */
  use(tracks: readonly MediaStreamTrack[]): void;
  release(): void;
}

/** Mixes sounds. The mix lives until it is released, whatever becomes of its sounds. */
export function mixAudio(tracks: readonly MediaStreamTrack[]): AudioMix {
  const context = new AudioContext();
  const destination = new MediaStreamAudioDestinationNode(context);
  /** How to leave each sound out again. */
  const mixed = new Map<MediaStreamTrack, () => void>();
  const use = (wanted: readonly MediaStreamTrack[]) => {
    for (const [track, leaveOut] of mixed) {
      if (wanted.includes(track)) continue;
      leaveOut();
      mixed.delete(track);
    }
    for (const track of wanted) if (!mixed.has(track)) mixed.set(track, mixIn(track, context, destination));
  };
  use(tracks);
  // Before the first gesture on a page this waits for it. Closing ends the wait.
  resume(context).catch(() => undefined);
  const [track] = destination.stream.getAudioTracks();
  if (!track) throw new Error('audio gave no track');
  return {
    track,
    use,
    release: () => {
      use([]);
      track.stop();
      void context.close();
    },
  };
}

function mixIn(track: MediaStreamTrack, context: AudioContext, destination: AudioNode): () => void {
  const mediaStream = new MediaStream([track]);
  const source = new MediaStreamAudioSourceNode(context, { mediaStream });
  source.connect(destination);
  // Chromium lets sound from a peer connection flow only where an element takes it.
  const taker = new Audio();
  taker.muted = true;
  taker.srcObject = mediaStream;
  taker.play().catch(() => undefined);
  return () => {
    source.disconnect();
    taker.srcObject = null;
  };
}
