import type { Clock } from '../../../common/clock.ts';

/** The notes of a small chord in hertz, played one after the other. */
const NOTES = [523.25, 659.25, 783.99];
const NOTE_S = 0.22;
const LOUDNESS = 0.25;
/** A fade in seconds, since a note that stops abruptly clicks. */
const FADE_S = 0.05;
/** The duration of all notes with the silence before and after, in milliseconds. */
const TONE_MS = NOTES.length * NOTE_S * 1_000 + 300;

/**
 * Plays a few notes through a speaker. With an empty id, or without browser support for the choice, uses the system's.
 * Resolves after the last note or when the signal aborts. Rejects when the browser cannot play sound.
 */
export async function playTestTone(speakerId: string, clock: Pick<Clock, 'after'>, end: AbortSignal): Promise<void> {
  const context = new AudioContext();
  const player = new Audio();
  try {
    const { stream } = playNotes(context);
    player.srcObject = stream;
    if (speakerId !== '' && 'setSinkId' in player) await player.setSinkId(speakerId);
    await player.play();
    await over(clock, end);
  } finally {
    player.srcObject = null;
    await context.close();
  }
}

function over(clock: Pick<Clock, 'after'>, end: AbortSignal): Promise<void> {
  if (end.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = clock.after(TONE_MS, done);
    function done(): void {
      timer.cancel();
      end.removeEventListener('abort', done);
      resolve();
    }
    end.addEventListener('abort', done);
  });
}

function playNotes(context: AudioContext): MediaStreamAudioDestinationNode {
  const out = context.createMediaStreamDestination();
  for (const [place, frequency] of NOTES.entries()) {
    const from = context.currentTime + 0.1 + place * NOTE_S;
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(LOUDNESS, from + FADE_S);
    gain.gain.linearRampToValueAtTime(0, from + NOTE_S);
    const note = new OscillatorNode(context, { frequency });
    note.connect(gain).connect(out);
    note.start(from);
    note.stop(from + NOTE_S);
  }
  return out;
}
