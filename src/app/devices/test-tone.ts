/** A small chord, one note after the other: hertz. */
const NOTES = [523.25, 659.25, 783.99];
const NOTE_S = 0.22;
const LOUDNESS = 0.25;
/** A note that stops at once clicks. */
const FADE_S = 0.05;

/**
 * Plays a few notes through a speaker, or, with an empty id or where the browser cannot choose, through the system's.
 * Resolves when they are over. Rejects where nothing can be played.
 */
export async function playTestTone(speakerId: string): Promise<void> {
  const context = new AudioContext();
  const player = new Audio();
  try {
    const { stream } = playNotes(context);
    player.srcObject = stream;
    if (speakerId !== '' && 'setSinkId' in player) await player.setSinkId(speakerId);
    await player.play();
    await new Promise((resolve) => setTimeout(resolve, NOTES.length * NOTE_S * 1_000 + 300));
  } finally {
    player.srcObject = null;
    await context.close();
  }
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
