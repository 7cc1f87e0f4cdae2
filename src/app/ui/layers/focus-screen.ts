import { focusOnceActive } from './focus-once-active.ts';

/** Moves the focus to the heading of the screen, which is read out: another screen has come, or another step of it. */
export function focusScreen(): void {
  const main = document.querySelector('main');
  const target = main?.querySelector('h1') ?? main;
  // A screen that has taken the focus itself keeps it.
  const isTaken = (): boolean => main !== document.activeElement && main?.contains(document.activeElement) === true;
  if (!(target instanceof HTMLElement) || isTaken()) return;
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
  focusOnceActive(target, () => !isTaken(), { preventScroll: true });
}
