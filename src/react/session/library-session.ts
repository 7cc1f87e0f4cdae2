import type { CallingLibrary, LibraryListener } from '../library/calling-library.ts';
import { type ReadableStore, type Store, createStore } from '../../common/store.ts';
import { watchChannel } from './channel-watch.ts';
import { type LibrarySignIn, createLibrarySignIn } from './library-sign-in.ts';
import { createNextAttempt } from './next-attempt.ts';
import type { Credentials, SessionPorts } from './session-ports.ts';

/**
 * The state of the connection to the calling service. `off`: the user is not signed in to it. `starting`: the first
 * start is in progress. `on`: calls can be made and received. `failed`: the start failed or the channel is down, and
 * the session retries.
 */
export type CallingConnection = 'off' | 'starting' | 'on' | 'failed';

/** A session of the library for the signed-in user of the page. */
export interface LibrarySession {
  /** The state of the connection. */
  readonly connection: ReadableStore<CallingConnection>;
  /** The error of the last failure. Null before one, and from the next success. */
  readonly failure: ReadableStore<unknown>;
  /** Returns the library from when it is loaded until the stop. It may not be signed in. */
  library(): CallingLibrary | undefined;
  /**
   * Signs the user in to the calling service, or retries at once after a failure. Never rejects: a failure is logged
   * and retried with backoff.
   */
  start(): Promise<void>;
  /** Signs the library out and removes its listener. */
  stop(): void;
}

interface Dependencies extends SessionPorts {
  listener: Omit<LibraryListener, 'onSessionLost'>;
  /** Called when the library is loaded and initialised. */
  onLoaded(library: CallingLibrary): void;
}

/** `USER_NOT_AUTHENTICATED`: the exchange refuses both the session and the credentials. */
const NOT_AUTHENTICATED = 1_800_303;

/** The backoff starts again after a session or channel has lasted this long, in milliseconds. */
const STEADY_MS = 60_000;

/** Creates the session, which is off. */
export function createLibrarySession(outside: Dependencies): LibrarySession {
  const { service, connectivity, logger } = outside;
  const connection = createStore<CallingConnection>('off');
  const failure = createStore<unknown>(null);
  const signIn = createLibrarySignIn({ ...outside, listener: { ...outside.listener, onSessionLost } });
  const attempt = createAttempt(signIn);
  const upkeep = createUpkeep(outside, { connection, failure }, () => void tryNow());

  async function tryNow(): Promise<void> {
    const credentials = outside.credentials();
    if (!service().appId || credentials === null) return;
    upkeep.pause();
    if (connectivity.isOnline()) await attempt.run(credentials, upkeep.watch, refused);
    else upkeep.retryLater(new Error('the browser has no network'));
  }

  /** Handles a failure of an attempt. */
  function refused(error: unknown): void {
    logger.error('the calling service did not start', error);
    if (codeOf(error) === NOT_AUTHENTICATED) {
      signIn.lost();
      outside.onRefused?.();
    }
    upkeep.retryLater(error);
  }

  /** Handles the loss of the session that the library has given up. */
  function onSessionLost(): void {
    const error = new Error('the session of the calling service was lost');
    logger.warn(error.message);
    signIn.lost();
    // An attempt in progress fails and is retried. After the stop there is no session to lose.
    if (attempt.isRunning() || signIn.library() === undefined) return;
    upkeep.fail(error);
  }

  return {
    connection,
    failure,
    library: signIn.library,
    async start() {
      if (connection.get() === 'on' || attempt.isRunning()) return;
      if (service().appId && outside.credentials() !== null) connection.set('starting');
      await tryNow();
    },
    stop() {
      attempt.drop();
      upkeep.stop();
      failure.set(null);
      connection.set('off');
      signIn.release();
    },
  };
}

/** Creates the attempts to sign in, of which only the latest counts. */
function createAttempt(signIn: Pick<LibrarySignIn, 'advance'>) {
  /** Increases with each start and stop, so that a late answer to an earlier attempt is dropped. */
  let generation = 0;
  let isRunning = false;
  return {
    isRunning: () => isRunning,
    drop(): void {
      generation += 1;
      isRunning = false;
    },
    async run(
      credentials: Credentials,
      onSignedIn: (library: CallingLibrary) => void,
      onFailed: (error: unknown) => void,
    ): Promise<void> {
      const mine = ++generation;
      const isCurrent = (): boolean => mine === generation;
      isRunning = true;
      try {
        const library = await signIn.advance(credentials, isCurrent);
        if (!isCurrent()) return;
        isRunning = false;
        if (library !== undefined) onSignedIn(library);
      } catch (error) {
        if (!isCurrent()) return;
        isRunning = false;
        onFailed(error);
      }
    },
  };
}

/** Creates what keeps the connection up: the watch of an open channel, or the wait for the next attempt. */
function createUpkeep(
  outside: Dependencies,
  { connection, failure }: Readonly<{ connection: Store<CallingConnection>; failure: Store<unknown> }>,
  tryNow: () => void,
) {
  const { clock, logger } = outside;
  const retry = createNextAttempt(outside);
  let onSince = 0;
  let stopWatching = (): void => {};

  function watch(library: CallingLibrary): void {
    onSince = clock.wallTime();
    failure.set(null);
    connection.set('on');
    stopWatching = watchChannel({
      ...outside,
      connect: () => library.connectWebSocket(),
      onDown(error) {
        logger.warn('the channel of the calling service is down', error);
        fail(error);
      },
    });
  }

  /** Stops the watch of the channel, or cancels the next attempt. */
  function pause(): void {
    stopWatching();
    retry.cancel();
  }

  function retryLater(error: unknown): void {
    failure.set(error);
    connection.set('failed');
    pause();
    retry.schedule(tryNow);
  }

  /** Handles a failure after the connection was on. */
  function fail(error: unknown): void {
    if (Math.abs(clock.wallTime() - onSince) >= STEADY_MS) retry.reset();
    retryLater(error);
  }

  return {
    watch,
    pause,
    retryLater,
    fail,
    stop(): void {
      retry.reset();
      pause();
    },
  };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
