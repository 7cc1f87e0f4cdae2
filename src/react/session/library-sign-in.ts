import type { CallingLibrary, LibraryListener } from '../library/calling-library.ts';
import type { Credentials, Logger, Service } from './session-ports.ts';

/** The steps to an open channel: the library is loaded, signed in and connected. */
export interface LibrarySignIn {
  /** Returns the library from when it is loaded until the release. It may not be signed in. */
  library(): CallingLibrary | undefined;
  /**
   * Continues with the step that failed last. Stops when `isCurrent` returns false.
   *
   * @returns the library with an open channel. Undefined after an early stop.
   */
  advance(credentials: Credentials, isCurrent: () => boolean): Promise<CallingLibrary | undefined>;
  /** Notes that the library has no session, so that the next attempt signs it in. */
  lost(): void;
  /** Signs the library out and removes its listener. A failure is logged. */
  release(): void;
}

interface Dependencies {
  service(): Service;
  load(): Promise<CallingLibrary>;
  readonly listener: LibraryListener;
  /** Called when the library is loaded and initialised. */
  onLoaded(library: CallingLibrary): void;
  readonly logger: Logger;
}

const LISTENER_ID = 'ringback-react';

/** Creates the sign-in, with no step done. */
export function createLibrarySignIn({
  service,
  load: loadLibrary,
  listener,
  onLoaded,
  logger,
}: Dependencies): LibrarySignIn {
  let library: CallingLibrary | undefined;
  let isSignedIn = false;

  async function load(isCurrent: () => boolean): Promise<CallingLibrary | undefined> {
    const loaded = await loadLibrary();
    if (!isCurrent()) return undefined;
    const { appId, apiHost, websocketHost } = service();
    loaded.init(appId, apiHost, websocketHost);
    loaded.addListener(LISTENER_ID, listener);
    library = loaded;
    onLoaded(loaded);
    return loaded;
  }

  return {
    library: () => library,
    async advance(credentials, isCurrent) {
      const loaded = library ?? (await load(isCurrent));
      if (loaded === undefined) return undefined;
      if (!isSignedIn) {
        await loaded.authenticate(credentials);
        if (!isCurrent()) return undefined;
        isSignedIn = true;
      }
      // The library retries its channel. This request makes it try at once, or resolves when the channel is open.
      await loaded.connectWebSocket();
      return isCurrent() ? loaded : undefined;
    },
    lost: () => void (isSignedIn = false),
    release() {
      isSignedIn = false;
      const released = library;
      library = undefined;
      if (released === undefined) return;
      try {
        released.removeListener(LISTENER_ID);
        released.deauthenticate();
      } catch (error) {
        logger.error('the calling service did not stop cleanly', error);
      }
    },
  };
}
