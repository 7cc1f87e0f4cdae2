/** Returns the loudness of samples: their root mean square, 0 to 1. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length);
}

/** The threshold of speech, above a quiet place with a fan. A voice at a laptop is several times louder. */
const SPEECH = 0.03;
/** The number of loud samples before speech begins. A knock on the table is shorter. */
const SPOKEN_FOR = 3;
/** The number of silent samples before speech ends, since words have gaps between them. */
const SILENT_FOR = 15;

/** Creates a detector that distinguishes speech from noise. It takes one loudness every 100 ms. */
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
