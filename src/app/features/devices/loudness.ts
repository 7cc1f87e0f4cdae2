/** How loud samples are: their root mean square, 0 to 1. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/** Louder than a quiet room and a fan; a voice at a laptop is several times that. */
const SPEECH = 0.03;
/** A knock on the table is over by then. */
const SPOKEN_FOR = 3;
/** Words have gaps between them. */
const SILENT_FOR = 15;

/** Tells speech from noises, by one loudness each 100 ms. */
export function createSpeechDetector(): (level: number) => boolean {
  let loud = 0;
  let quiet = 0;
  let isSpeaking = false;
  return (level) => {
    if (level >= SPEECH) {
      loud += 1;
      quiet = 0;
      if (loud >= SPOKEN_FOR) isSpeaking = true;
    } else {
      loud = 0;
      quiet += 1;
      if (quiet >= SILENT_FOR) isSpeaking = false;
    }
    return isSpeaking;
  };
}
