import type { PagePort, PageState } from '../page.ts';

/**
 * Returns the life of the page after the Page Lifecycle draft: active with the focus, passive while visible, hidden,
 * frozen, and terminated when the user leaves it.
 */
export function browserPage(): PagePort {
  const watchers = new Set<(state: PageState) => void>();
  /** The last reported state. Null until the page is watched. */
  let told: PageState | null = null;
  let listening: AbortController | null = null;

  const tell = (state: PageState) => {
    if (state === told) return;
    told = state;
    for (const watcher of [...watchers]) watcher(state);
  };
  const wake = () => tell(visibleState());
  // A browser may report hidden after the page was frozen or left. Only resume and pageshow restore the page.
  const look = () => {
    if (told !== 'frozen' && told !== 'terminated') wake();
  };
  const freeze = () => tell('frozen');
  const leave = ({ persisted }: PageTransitionEvent) => tell(persisted ? 'frozen' : 'terminated');

  const listen = (undo: AbortSignal) => {
    // Events of the document pass the window while capturing.
    const options = { capture: true, signal: undo };
    for (const type of ['focus', 'blur', 'visibilitychange']) window.addEventListener(type, look, options);
    for (const type of ['resume', 'pageshow']) window.addEventListener(type, wake, options);
    window.addEventListener('freeze', freeze, options);
    window.addEventListener('pagehide', leave, options);
  };

  return {
    get state() {
      return told ?? visibleState();
    },
    onChange(changed) {
      if (typeof window === 'undefined') return () => undefined;
      // Each caller gets a separate watcher: a function given twice is called twice, and removed once.
      const watcher = (state: PageState) => changed(state);
      if (!listening) {
        told = visibleState();
        listening = new AbortController();
        listen(listening.signal);
      }
      watchers.add(watcher);
      return () => {
        watchers.delete(watcher);
        if (watchers.size > 0) return;
        listening?.abort();
        listening = null;
        told = null;
      };
    },
    onOnline(online) {
      if (typeof window === 'undefined') return () => undefined;
      const listener = () => online();
      window.addEventListener('online', listener);
      return () => window.removeEventListener('online', listener);
    },
  };
}

function visibleState(): PageState {
  if (typeof document === 'undefined') return 'active';
  if (document.visibilityState === 'hidden') return 'hidden';
  return document.hasFocus() ? 'active' : 'passive';
}
