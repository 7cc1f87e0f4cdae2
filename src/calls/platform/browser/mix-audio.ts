import { resume } from './after-gesture.ts';

/** Several sounds mixed to one track, which stays the same while the sounds change. */
export interface AudioMix {
  readonly track: MediaStreamTrack;
  /** Mixes only these sounds from now on. */
  use(tracks: readonly MediaStreamTrack[]): void;
  release(): void;
}

/** Mixes sounds. The mix lives until it is released, also after its sounds have ended. */
export function mixAudio(tracks: readonly MediaStreamTrack[]): AudioMix {
  const context = new AudioContext();
  const destination = new MediaStreamAudioDestinationNode(context);
  /** The function that removes each sound. */
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
  // In Chromium sound from a peer connection flows only when an element plays it.
  const taker = new Audio();
  taker.muted = true;
  taker.srcObject = mediaStream;
  taker.play().catch(() => undefined);
  return () => {
    source.disconnect();
    taker.srcObject = null;
  };
}
