import { focusOnceActive } from './focus-once-active.ts';

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
