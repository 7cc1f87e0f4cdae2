import type { Clock } from '../../core/ports/clock.ts';
import type { Connectivity } from '../../core/ports/connectivity.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { CallingCredentials } from '../../core/session/session.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import { retryWaitMs } from '../../core/time/retry-wait.ts';
import type { CallingLibrary, LibraryListener } from './calling-library.ts';
import { watchChannel } from './channel-watch.ts';

/**
 * The state of the connection to the calling service. `off`: the user is not signed in to it. `starting`: the first
 * start is in progress. `on`: calls can be made and received. `failed`: the start failed or the channel is down, and
 * the app retries.
 */
export type CallingConnection = 'off' | 'starting' | 'on' | 'failed';

/** A session of the library for the signed-in user of the page. */
export interface LibrarySession {
  readonly connection: ReadableStore<CallingConnection>;
  /** Returns the library from when it is loaded until the stop. It may not be signed in. */
  library(): CallingLibrary | undefined;
  /**
   * Signs the user in to the calling service, or retries at once after a failure. Never rejects: a failure is logged
   * (app-shell §8) and retried with backoff.
   */
  start(): Promise<void>;
  /** Signs the library out and removes its listener. */
  stop(): void;
}

/** The dependencies of a session of the library. */
export interface LibrarySessionPorts {
  config: { app_id: string; calling_api_url: string; calling_ws_url: string };
  loadLibrary(): Promise<CallingLibrary>;
  /** Returns the credentials of the signed-in user. Null without a user. */
  credentials(): CallingCredentials | null;
  /** Checks whether the product still accepts the session. Called when the calling service refuses the user. */
  checkSession(): Promise<boolean>;
  connectivity: Connectivity;
  /**
   * True while the socket of the product's events is connected, which suggests that the calling service is reachable,
   * too.
   */
  live: ReadableStore<boolean>;
  clock: Clock;
  random(): number;
  logger: Logger;
}

interface Dependencies extends LibrarySessionPorts {
  listener: Omit<LibraryListener, 'onSessionLost'>;
  /** Called when the library is loaded and initialised. */
  onLoaded(library: CallingLibrary): void;
}

const LISTENER_ID = 'ringback-app';

/** `USER_NOT_AUTHENTICATED`: the exchange refuses both the session and the credentials. */
const NOT_AUTHENTICATED = 1_800_303;

/** The backoff starts again after a session or channel has lasted this long, in milliseconds. */
const STEADY_MS = 60_000;

export function createLibrarySession(outside: Dependencies): LibrarySession {
  const { config, clock, connectivity, logger } = outside;
  const connection = createStore<CallingConnection>('off');
  let library: CallingLibrary | undefined;
  let isSignedIn = false;
  /** Increases with each start and stop, so that a late answer to an earlier attempt is dropped. */
  let generation = 0;
  let isTrying = false;
  let failures = 0;
  let onSince = 0;
  /** Cancels the next attempt or the watch of the channel. */
  let stopWaiting: (() => void) | undefined;

  async function load(mine: number): Promise<CallingLibrary | undefined> {
    const loaded = await outside.loadLibrary();
    if (mine !== generation) return undefined;
    loaded.init(config.app_id, config.calling_api_url, config.calling_ws_url);
    loaded.addListener(LISTENER_ID, { ...outside.listener, onSessionLost });
    library = loaded;
    outside.onLoaded(loaded);
    return loaded;
  }

  /** Continues with the step that failed last. */
  async function attempt(mine: number, credentials: CallingCredentials): Promise<void> {
    const loaded = library ?? (await load(mine));
    if (loaded === undefined) return;
    if (!isSignedIn) {
      await loaded.authenticate(credentials);
      if (mine !== generation) return;
      isSignedIn = true;
    }
    // The library retries its channel. This request makes it try at once, or resolves when the channel is open.
    await loaded.connectWebSocket();
    if (mine !== generation) return;
    onSince = clock.now();
    connection.set('on');
    stopWaiting = watchChannel({
      ...outside,
      connect: () => loaded.connectWebSocket(),
      onDown(error) {
        logger.warn('the channel of the calling service is down', error);
        fail();
      },
    });
  }

  async function tryNow(): Promise<void> {
    const credentials = outside.credentials();
    if (!config.app_id || credentials === null) return;
    stopWaiting?.();
    if (!connectivity.isOnline()) {
      connection.set('failed');
      retryLater();
      return;
    }
    const mine = ++generation;
    isTrying = true;
    try {
      await attempt(mine, credentials);
      if (mine === generation) isTrying = false;
    } catch (error) {
      if (mine !== generation) return;
      isTrying = false;
      logger.error('the calling service did not start', error);
      if (codeOf(error) === NOT_AUTHENTICATED) {
        isSignedIn = false;
        // The access token belongs to the session of the product. If that session has ended, this page signs out.
        void outside.checkSession();
      }
      connection.set('failed');
      retryLater();
    }
  }

  /** Schedules the next attempt. Without a network, the attempt waits for the network. */
  function retryLater(): void {
    stopWaiting?.();
    const now = (): void => void tryNow();
    const undo = [
      connectivity.subscribe(() => {
        if (connectivity.isOnline()) now();
      }),
      outside.live.subscribe(() => {
        if (outside.live.get()) now();
      }),
      connectivity.onReturn(now),
      connectivity.isOnline() ? clock.after(retryWaitMs(failures++, outside.random), now) : undefined,
    ];
    stopWaiting = () => {
      for (const stop of undo) stop?.();
      stopWaiting = undefined;
    };
  }

  /** Handles the loss of the session that the library has given up. */
  function onSessionLost(): void {
    logger.warn('the session of the calling service was lost');
    isSignedIn = false;
    // An attempt in progress fails and is retried. After the stop there is no session to lose.
    if (isTrying || library === undefined) return;
    fail();
  }

  /** Handles a failure after the connection was on. */
  function fail(): void {
    if (Math.abs(clock.now() - onSince) >= STEADY_MS) failures = 0;
    connection.set('failed');
    retryLater();
  }

  return {
    connection,
    library: () => library,
    async start() {
      if (connection.get() === 'on' || isTrying) return;
      if (config.app_id && outside.credentials() !== null) connection.set('starting');
      await tryNow();
    },
    stop() {
      generation += 1;
      isTrying = false;
      isSignedIn = false;
      failures = 0;
      stopWaiting?.();
      connection.set('off');
      const stopped = library;
      library = undefined;
      if (stopped === undefined) return;
      try {
        stopped.removeListener(LISTENER_ID);
        stopped.deauthenticate();
      } catch (error) {
        logger.error('the calling service did not stop cleanly', error);
      }
    },
  };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
