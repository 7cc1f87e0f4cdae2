import { focusScreen } from './focus-screen.ts';

const TABBABLE =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** What is read as a whole: whoever loses their place within one stays in it. */
const ROOMS = 'main, [role$=dialog]';
/** Frames in which a sheet that closes gives the focus back to what opened it. */
const PATIENCE_FRAMES = 60;

/**
 * Whoever uses a keyboard is never left without a place: what had the focus may go away, or may no longer be pressed, by the
 * very press. Then whatever it stood in has the focus: the list, the sheet, the screen. Returns the undo.
 */
export function keepFocus(page: Document): () => void {
  const undo = new AbortController();
  /** What has the focus by a key, and all that it stands in, from the inside out. */
  let path: readonly Element[] = [];
  let isLooking = false;
  const watcher = new MutationObserver(() => {
    if (isLooking) return;
    isLooking = true;
    // The browser takes the focus away when it draws: by the frame after the next it has.
    requestAnimationFrame(() => requestAnimationFrame(() => look(PATIENCE_FRAMES)));
  });

  function forget(): void {
    path = [];
    watcher.disconnect();
  }

  function look(frames: number): void {
    isLooking = false;
    if (undo.signal.aborted || path.length === 0 || page.activeElement !== page.body) return;
    const room = path.filter((one) => one.isConnected && one.closest(ROOMS) !== null);
    if (room.length === 0 && frames > 0) {
      isLooking = true;
      requestAnimationFrame(() => look(page.querySelector('[inert]') === null ? Math.min(1, frames - 1) : frames - 1));
      return;
    }
    for (const place of room.flatMap(placesIn)) {
      place.focus({ preventScroll: true });
      if (page.activeElement === place) return;
    }
    focusScreen();
  }

  page.addEventListener(
    'focusin',
    ({ target }) => {
      forget();
      if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
      path = pathOf(target);
      watcher.observe(page.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'inert', 'hidden'] });
    },
    { signal: undo.signal },
  );
  // Whoever points knows where.
  page.addEventListener('pointerdown', forget, { signal: undo.signal });
  return () => {
    undo.abort();
    forget();
  };
}

function pathOf(element: Element): readonly Element[] {
  const path: Element[] = [];
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement)
    path.push(one);
  return path;
}

/** What can have the focus for a place: the place itself where it can, or what it holds; a screen has its heading. */
function placesIn(place: Element): readonly HTMLElement[] {
  if (place.matches('main')) return [];
  const inside = place.hasAttribute('tabindex') ? [place] : place.querySelectorAll(TABBABLE);
  return Array.from(inside).filter((one) => one instanceof HTMLElement);
}
