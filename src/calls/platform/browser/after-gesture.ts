/** What a browser counts as the user's consent to sound: a touch does so when it ends. */
const GESTURES = ['pointerdown', 'pointerup', 'keydown'] as const;

/** Runs `run` at each gesture of the user on the page until the undo that is returned. */
export function afterGesture(run: () => void): () => void {
  const listening = new AbortController();
  for (const type of GESTURES) {
    window.addEventListener(type, () => run(), { capture: true, passive: true, signal: listening.signal });
  }
  return () => listening.abort();
}

/**
 * Starts an audio context, now where that is allowed, and with the user's next gesture where it is not: browsers do not
 * start one by themselves when the gesture comes. Resolves once it runs.
 */
export async function resume(context: AudioContext): Promise<void> {
  const undo = afterGesture(() => void context.resume().catch(() => undefined));
  try {
    await context.resume();
  } finally {
    undo();
  }
}
