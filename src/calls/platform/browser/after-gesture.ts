/** The events that count as the user's consent to sound. A touch counts when it ends. */
const GESTURES = ['pointerdown', 'pointerup', 'keydown'] as const;

/** Runs `run` at each gesture of the user on the page. Returns the function that ends this. */
export function afterGesture(run: () => void): () => void {
  const listening = new AbortController();
  for (const type of GESTURES) {
    window.addEventListener(type, () => run(), { capture: true, passive: true, signal: listening.signal });
  }
  return () => listening.abort();
}

/**
 * Starts an audio context now where the browser allows it, else at the user's next gesture. Browsers do not start it by
 * themselves then. Resolves when it runs.
 */
export async function resume(context: AudioContext): Promise<void> {
  const undo = afterGesture(() => void context.resume().catch(() => undefined));
  try {
    await context.resume();
  } finally {
    undo();
  }
}
