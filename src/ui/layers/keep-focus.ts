import { focusScreen } from './focus.ts';

const TABBABLE =
  'a[href], button:enabled, input:enabled:not([type=hidden]), select:enabled, textarea:enabled, summary, [tabindex="0"]';

/** The regions of the page. A lost focus stays inside of its region. */
const REGIONS = 'main, [role$=dialog]';
/** The regions that stay when sheets, cards and calls close. The focus returns to its last place in them. */
const GROUND = 'main, nav';
/** The number of frames in which a closing sheet may return the focus to the element that opened it. */
const PATIENCE_FRAMES = 60;

/** An element that held the focus, and its next sibling at that time. */
interface Held {
  readonly element: Element;
  readonly next: Element | null;
}

/**
 * Restores a lost focus of the keyboard. A press may remove or disable the focused element. Then the nearest remaining
 * element takes the focus: in its list, its sheet, or at last the screen. Returns the function that stops it.
 */
export function keepFocus(page: Document): () => void {
  const undo = new AbortController();
  /** The element that a key focused and its ancestors, from the inside out. */
  let path: readonly Held[] = [];
  /** The last such path in the screen, whatever covers the screen now. */
  let ground: readonly Held[] = [];
  let isLooking = false;
  const watcher = new MutationObserver(() => {
    if (isLooking) return;
    isLooking = true;
    // The browser removes the focus when it renders, which is done by the frame after the next.
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
    if (!focusFirst(page, placesOf(isInAnyRegion ? path : ground))) focusScreen();
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
  // A user with a pointer chooses the place by the pointer. The earlier place of the keyboard in the screen is dropped.
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

/** Focuses the first element that takes the focus, and scrolls to it. Returns whether one took it. */
function focusFirst(page: Document, places: readonly HTMLElement[]): boolean {
  for (const place of places) {
    place.focus({ preventScroll: true });
    if (page.activeElement !== place) continue;
    place.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    return true;
  }
  return false;
}

function pathOf(element: Element): readonly Held[] {
  const path: Held[] = [];
  for (let one: Element | null = element; one !== null && one !== document.body; one = one.parentElement)
    path.push({ element: one, next: one.nextElementSibling });
  return path;
}

const isInRegion = ({ element }: Held): boolean => element.isConnected && element.closest(REGIONS) !== null;

/** Returns the candidates for the focus, nearest first: the former element, then those in its remaining ancestors. */
const placesOf = (path: readonly Held[]): readonly HTMLElement[] =>
  path.flatMap((held, at) => (held.element.isConnected ? placesIn(held, path[at - 1]) : []));

/**
 * Returns the element itself if it can take the focus, or else the elements in it, beginning at the place of `inner`. A
 * screen returns none: its heading takes the focus.
 */
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
