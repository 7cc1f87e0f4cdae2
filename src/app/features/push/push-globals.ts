import { PushError } from './push-error.ts';

/** The globals by which a push library detects its support. */
export interface PushGlobals {
  readonly window?: unknown;
  readonly navigator?: { readonly serviceWorker?: unknown };
  readonly PushManager?: unknown;
  readonly Notification?: unknown;
  readonly indexedDB?: unknown;
}

/**
 * Checks that the browser has what push needs.
 * @throws PushError with the name of the missing part.
 */
export function assertPushIsPossible(globals: PushGlobals): void {
  if (globals.window === undefined) throw new PushError('only-available-in-window', 'push must be requested by a page');
  if (!globals.navigator?.serviceWorker || !globals.PushManager || !globals.Notification) {
    throw new PushError('unsupported-browser', 'this browser does not support push');
  }
  if (!globals.indexedDB) throw new PushError('indexed-db-unsupported', 'this browser stores no data');
}
