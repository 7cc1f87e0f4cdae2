import type { Clock } from '../../common/clock.ts';
import type { Connectivity } from '../../common/connectivity.ts';
import type { ReadableStore } from '../../common/store.ts';
import type { CallingLibrary } from '../library/calling-library.ts';

/** The calling service of the host. */
export interface Service {
  /** The id of the application. Without one the session does not start. */
  readonly appId: string;
  /** The address of the requests over HTTP. Default: that of the library. */
  readonly apiHost?: string | undefined;
  /** The address of the websocket. Default: that of the library. */
  readonly websocketHost?: string | undefined;
}

/** The user of the page, as `authenticate` of the library takes it. */
export interface Credentials {
  /** The id of the user. */
  readonly userId: string;
  /** The access token of the user. Default: none. */
  readonly accessToken?: string;
}

/** A log of failures that the user need not see. `console` is one. */
export interface Logger {
  /** Logs a failure that concerns one action. */
  warn(message: string, detail?: unknown): void;
  /** Logs a failure of a call or of the session. */
  error(message: string, detail?: unknown): void;
}

/** What a session takes from its host. */
export interface SessionPorts {
  /** Returns the calling service, which each load of the library reads. */
  service(): Service;
  /** Loads the library: `() => import('ringback')`. A bundler puts it into a file of its own. */
  load(): Promise<CallingLibrary>;
  /** Returns the credentials of the user of the page. Null without a user. */
  credentials(): Credentials | null;
  /** Called when the calling service refuses the credentials. The session retries with backoff. Default: none. */
  onRefused?: (() => void) | undefined;
  /**
   * True while another socket of the host to the same servers is connected. While it is false, the session asks the
   * library to open its channel. Without such a socket it is always true.
   */
  readonly live: ReadableStore<boolean>;
  /** The network. */
  readonly connectivity: Connectivity;
  /** The clock of retries and of durations. */
  readonly clock: Clock;
  /** Returns a random number from 0 to below 1, for the jitter of retries. */
  random(): number;
  /** The log of failures. */
  readonly logger: Logger;
}
