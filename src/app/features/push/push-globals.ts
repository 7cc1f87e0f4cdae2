import { PushError } from './push-error.ts';

/** The globals by which a push library tells whether it can work. */
export interface PushGlobals {
  readonly window?: unknown;
  readonly navigator?: { readonly serviceWorker?: unknown };
  readonly PushManager?: unknown;
  readonly Notification?: unknown;
  readonly indexedDB?: unknown;
}

/** @throws PushError with the name of what is missing. */
export function assertPushIsPossible(globals: PushGlobals): void {
  if (globals.window === undefined) throw new PushError('only-available-in-window', 'push is asked for by a page');
  if (!globals.navigator?.serviceWorker || !globals.PushManager || !globals.Notification) {
    throw new PushError('unsupported-browser', 'this browser has no push');
  }
  if (!globals.indexedDB) throw new PushError('indexed-db-unsupported', 'this browser keeps nothing');
}
