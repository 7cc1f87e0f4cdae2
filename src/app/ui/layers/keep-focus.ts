import { focusScreen } from './focus-screen.ts';

const TABBABLE =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** What is read as a whole: whoever loses their place within one stays in it. */
const REGIONS = 'main, [role$=dialog]';
/** What stays when sheets, cards and calls go: whoever comes back from them comes back to their place in it. */
const GROUND = 'main, nav';
/** Frames in which a sheet that closes gives the focus back to what opened it. */
const PATIENCE_FRAMES = 60;

/** Something that held the focus, and what stood after it then. */
interface Held {
  readonly element: Element;
  readonly next: Element | null;
}

/**
 * Whoever uses a keyboard is never left without a place: what had the focus may go away, or may no longer be pressed, by the
 * very press. Then whatever it stood in has the focus: the list, the sheet, and below them what had it in the screen, or the screen.
 * Returns the undo.
 */
export function keepFocus(page: Document): () => void {
  const undo = new AbortController();
  /** What has the focus by a key, and all that it stands in, from the inside out. */
  let path: readonly Held[] = [];
  /** The same of what had it last in the screen, whatever lies over that now. */
  let ground: readonly Held[] = [];
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
    const isInAnyRegion = path.some(isInRegion);
    if (!isInAnyRegion && frames > 0) {
      isLooking = true;
      requestAnimationFrame(() => look(page.querySelector('[inert]') === null ? Math.min(1, frames - 1) : frames - 1));
      return;
    }
    for (const place of placesOf(isInAnyRegion ? path : ground)) {
      place.focus({ preventScroll: true });
      if (page.activeElement !== place) continue;
      place.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      return;
    }
    focusScreen();
  }

  page.addEventListener(
    'focusin',
    ({ target }) => {
      forget();
      if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
      path = pathOf(target);
      if (target.closest(GROUND) !== null) ground = path;
      watcher.observe(page.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'inert', 'hidden'] });
    },
    { signal: undo.signal },
  );
  // Whoever points knows where, and in the screen has another place than by the keys before.
  page.addEventListener(
    'pointerdown',
    ({ target }) => {
      forget();
      if (target instanceof Element && target.closest(GROUND) !== null) ground = [];
    },
    { signal: undo.signal },
  );
  return () => {
    undo.abort();
    forget();
  };
}

function pathOf(element: Element): readonly Held[] {
  const path: Held[] = [];
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement)
    path.push({ element: one, next: one.nextElementSibling });
  return path;
}

const isInRegion = ({ element }: Held): boolean => element.isConnected && element.closest(REGIONS) !== null;

/** Returns the elements that can take the focus, nearest first: the former element, then those in its remaining ancestors. */
const placesOf = (path: readonly Held[]): readonly HTMLElement[] =>
  path.flatMap((held, at) => (held.element.isConnected ? placesIn(held, path[at - 1]) : []));

/** A place itself where it can have the focus, or what it holds, from where `inner` stands or stood; a screen has its heading. */
function placesIn({ element }: Held, inner: Held | undefined): readonly HTMLElement[] {
  if (element.matches('main') || element.querySelector('main') !== null) return [];
  const isPlace = inner === undefined || element.hasAttribute('tabindex');
  const places = Array.from(isPlace ? [element] : element.querySelectorAll(TABBABLE)).filter(
    (place) => place instanceof HTMLElement,
  );
  const stood = inner?.element.isConnected === true ? inner.element : inner?.next;
  if (stood?.isConnected !== true) return places;
  const isBefore = (place: Element): boolean =>
    (stood.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
  return [...places.filter((place) => !isBefore(place)), ...places.filter(isBefore)];
}
