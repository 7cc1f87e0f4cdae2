import type { Clock } from '../../core/ports/clock.ts';
import type { Connectivity } from '../../core/ports/connectivity.ts';
import type { Logger } from '../../core/ports/logger.ts';
import type { CallingCredentials } from '../../core/session/session.ts';
import { type ReadableStore, createStore } from '../../core/store/store.ts';
import { retryWaitMs } from '../../core/time/retry-wait.ts';
import type { CallingLibrary, LibraryListener } from './calling-library.ts';
import { watchChannel } from './channel-watch.ts';

/**
 * Whether calls can be made and received: the user is not signed in to the calling service (`off`), a first start is under
 * way (`starting`), calls come (`on`), or the start failed, or the channel is down, and is retried (`failed`).
 */
export type CallingConnection = 'off' | 'starting' | 'on' | 'failed';

/** The library, signed in as the user of the page for as long as there is one. */
export interface LibrarySession {
  readonly connection: ReadableStore<CallingConnection>;
  /** The library once it is loaded, until the stop; it may not be signed in. */
  library(): CallingLibrary | undefined;
  /**
   * Signs the user in to the calling service, or tries again at once where that failed. Never rejects: a failure is logged
   * (app-shell §8) and retried, with backoff.
   */
  start(): Promise<void>;
  /** Signs the library out and removes its listener. */
  stop(): void;
}

/** What the start of the calling service needs. */
export interface LibrarySessionPorts {
  config: { app_id: string; calling_api_url: string; calling_ws_url: string };
  loadLibrary(): Promise<CallingLibrary>;
  /** Of the user that the page shows; null where there is none. */
  credentials(): CallingCredentials | null;
  /** Asks whether the product still takes the session. Called when the calling service refuses the user. */
  checkSession(): Promise<boolean>;
  connectivity: Connectivity;
  /** Whether the live events of the product are connected: a sign of whether the calling service is, too. */
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

/** `USER_NOT_AUTHENTICATED`: the exchange takes neither the session nor what the user signs in with. */
const NOT_AUTHENTICATED = 1_800_303;

/** A session or a channel that was lost after this long is no repeated failure: the backoff begins anew. */
const STEADY_MS = 60_000;

export function createLibrarySession(outside: Dependencies): LibrarySession {
  const { config, clock, connectivity, logger } = outside;
  const connection = createStore<CallingConnection>('off');
  let library: CallingLibrary | undefined;
  let isSignedIn = false;
  /** Goes up with every start and stop, so that a late answer to an old try is recognised. */
  let generation = 0;
  let isTrying = false;
  let failures = 0;
  let onSince = 0;
  /** The undo of what waits for the next try, or watches over the channel. */
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

  /** Goes on from the step that failed last. */
  async function attempt(mine: number, credentials: CallingCredentials): Promise<void> {
    const loaded = library ?? (await load(mine));
    if (loaded === undefined) return;
    if (!isSignedIn) {
      await loaded.authenticate(credentials);
      if (mine !== generation) return;
      isSignedIn = true;
    }
    // The library retries its channel by itself; asked again, it tries at once or says that the channel is open.
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
        // The access token is that of the product's session, which may be over: then this page signs out.
        void outside.checkSession();
      }
      connection.set('failed');
      retryLater();
    }
  }

  /** Without a network, a try waits for it. */
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

  /** The library has given its session up. */
  function onSessionLost(): void {
    logger.warn('the session of the calling service was lost');
    isSignedIn = false;
    // A try that is under way fails, and is retried. After the stop there is nothing to lose.
    if (isTrying || library === undefined) return;
    fail();
  }

  /** Calls came, and do not come any more. */
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
