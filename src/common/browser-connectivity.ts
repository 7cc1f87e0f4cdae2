import type { Connectivity } from './connectivity.ts';

/** The reports of the browser about its network and about the page. */
export const browserConnectivity: Connectivity = {
  isOnline: () => navigator.onLine,
  subscribe(listener) {
    addEventListener('online', listener);
    addEventListener('offline', listener);
    return () => {
      removeEventListener('online', listener);
      removeEventListener('offline', listener);
    };
  },
  onReturn(listener) {
    const restored = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) listener();
    };
    const seen = (): void => {
      if (document.visibilityState === 'visible') listener();
    };
    addEventListener('pageshow', restored);
    document.addEventListener('visibilitychange', seen);
    document.addEventListener('resume', listener);
    return () => {
      removeEventListener('pageshow', restored);
      document.removeEventListener('visibilitychange', seen);
      document.removeEventListener('resume', listener);
    };
  },
};
