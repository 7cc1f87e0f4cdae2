/** Moves the focus to the heading of a new screen or step, which screen readers then read. */
export function focusScreen(): void {
  const main = document.querySelector('main');
  const target = main?.querySelector('h1') ?? main;
  // A screen that has focused one of its elements keeps that focus.
  const isTaken = (): boolean => main !== document.activeElement && main?.contains(document.activeElement) === true;
  if (!(target instanceof HTMLElement) || isTaken()) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  focusOnceActive(target, () => !isTaken(), { preventScroll: true });
}

/** More frames than React needs to make a layer active again. After that another layer covers it. */
const PATIENCE_FRAMES = 60;

/**
 * Focuses an element as soon as its layer is active. An inert element cannot take the focus, and stays inert until the
 * next commit.
 */
export function focusOnceActive(element: HTMLElement, isWanted: () => boolean, options: FocusOptions = {}): void {
  function look(frames: number): void {
    if (!element.isConnected || !isWanted()) return;
    if (element.closest('[inert]') === null) element.focus(options);
    else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
  }
  look(PATIENCE_FRAMES);
}
