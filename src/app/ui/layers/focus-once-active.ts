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
