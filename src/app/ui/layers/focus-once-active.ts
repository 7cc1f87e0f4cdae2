/** More frames than React needs to make a floor active again; then it has been covered by another. */
const PATIENCE_FRAMES = 60;

/** Focuses an element as soon as its floor is active: what is inert cannot take the focus, and is so until the next commit. */
export function focusOnceActive(element: HTMLElement, isWanted: () => boolean, options: FocusOptions = {}): void {
  function look(frames: number): void {
    if (!element.isConnected || !isWanted()) return;
    if (element.closest('[inert]') === null) element.focus(options);
    else if (frames > 0) requestAnimationFrame(() => look(frames - 1));
  }
  look(PATIENCE_FRAMES);
}
