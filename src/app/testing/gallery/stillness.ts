const PATIENCE_MS = 10_000;
const STILL_FRAMES = 2;

/**
 * Waits until the page is at rest: no request is open, and no element changed for two frames. Attributes may change, as
 * those of a level meter do.
 */
export async function stillness(page: Document, isBusy: () => boolean): Promise<void> {
  const gaveUp = AbortSignal.timeout(PATIENCE_MS);
  let frames = 0;
  const watcher = new MutationObserver(() => (frames = 0));
  watcher.observe(page.body, { childList: true, characterData: true, subtree: true });
  try {
    while (frames < STILL_FRAMES) {
      if (gaveUp.aborted) throw new Error('The scene did not come to rest');
      await nextFrame();
      frames = isBusy() ? 0 : frames + 1;
    }
  } finally {
    watcher.disconnect();
  }
}

/** Waits for an element that a scene presses. */
export async function shown(page: Document, selector: string): Promise<HTMLElement> {
  const gaveUp = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const found = page.querySelector<HTMLElement>(selector);
    if (found !== null) return found;
    if (gaveUp.aborted) throw new Error(`No element of the scene matches ${selector}`);
    await nextFrame();
  }
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
