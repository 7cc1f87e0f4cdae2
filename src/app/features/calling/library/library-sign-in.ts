import type { Logger } from '../../../core/ports/ports.ts';
import type { CallingCredentials } from '../../../core/session/session-tokens.ts';
import type { CallingLibrary, LibraryListener } from './calling-library.ts';

/** The steps to an open channel: the library is loaded, signed in and connected. */
export interface LibrarySignIn {
  /** Returns the library from when it is loaded until the release. It may not be signed in. */
  library(): CallingLibrary | undefined;
  /**
   * Continues with the step that failed last. Stops when `isCurrent` returns false.
   *
   * @returns the library with an open channel. Undefined after an early stop.
   */
  advance(credentials: CallingCredentials, isCurrent: () => boolean): Promise<CallingLibrary | undefined>;
  /** Notes that the library has no session, so that the next attempt signs it in. */
  lost(): void;
  /** Signs the library out and removes its listener. A failure is logged. */
  release(): void;
}

interface Dependencies {
  readonly config: { app_id: string; calling_api_url: string; calling_ws_url: string };
  loadLibrary(): Promise<CallingLibrary>;
  readonly listener: LibraryListener;
  /** Called when the library is loaded and initialised. */
  onLoaded(library: CallingLibrary): void;
  readonly logger: Logger;
}

const LISTENER_ID = 'ringback-app';

/** Creates the sign-in, with no step done. */
export function createLibrarySignIn({ config, loadLibrary, listener, onLoaded, logger }: Dependencies): LibrarySignIn {
  let library: CallingLibrary | undefined;
  let isSignedIn = false;

  async function load(isCurrent: () => boolean): Promise<CallingLibrary | undefined> {
    const loaded = await loadLibrary();
    if (!isCurrent()) return undefined;
    loaded.init(config.app_id, config.calling_api_url, config.calling_ws_url);
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
