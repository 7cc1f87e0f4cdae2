import type { UserPayload } from '../../protocol/entities.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import type { Connection, ConnectionOptions } from '../connection/connection.ts';
import { answerHost } from '../host/call-host.ts';
import { optionalHost, optionalText, requireId, requireObject, requireText } from '../host/checks.ts';
import { User } from '../host/user.ts';
import type { Logger } from '../logging/log.ts';
import type { Environment } from '../platform/environment.ts';
import { checkPrerequisites } from './prerequisites.ts';

/** The user who signs in. */
export interface AuthOption {
  /** The id of the user. */
  userId: string;
  /** The access token of the user. Default: none. An empty string counts as none. */
  accessToken?: string | undefined;
}

/** The functions of a host about its application and its user. */
export interface SessionFunctions {
  readonly appId: string;
  /** The user who is signed in. Null before `authenticate` resolves and after `deauthenticate`. */
  readonly currentUser: User | null;
  /**
   * Sets the application and the address of its exchange (§5).
   *
   * `apiHost` begins with http: or https:, `websocketHost` with ws: or wss:. Default: the hosts in
   * `globalThis.RINGBACK` ({@link RingbackSetting}), else the exchange that `ringback sim` starts on this machine. A
   * second call with the same values does nothing. A call with other values signs the user out and starts anew.
   *
   * @throws CallNotSupported when the browser or the page cannot make calls.
   * @throws CallError INVALID_PARAMETER_VALUE (1800300) or INVALID_PARAMETER_TYPE (1800301) for the parameter that it
   *   names.
   */
  init(appId: string, apiHost?: string, websocketHost?: string): void;
  /**
   * Signs a user in at the exchange (§5).
   *
   * When another user is signed in, the calls and the channel of that user end first. A handler gets the result of the
   * promise.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; INVALID_PARAMETER_VALUE (1800300) or
   *   INVALID_PARAMETER_TYPE (1800301) for the parameter that it names; USER_NOT_AUTHENTICATED (1800303) when the host
   *   calls `deauthenticate` meanwhile; ERR_REQUEST_FAILED (1800200) when the request fails; the code of the exchange
   *   when it refuses.
   */
  authenticate(option: AuthOption, handler?: (user?: User, error?: CallError) => void): Promise<User>;
  /** Signs the user out and ends the calls and the session of the user. Listeners stay registered. */
  deauthenticate(): void;
  /**
   * Opens the realtime channel, over which incoming calls arrive (§7). Resolves when the channel is open.
   *
   * @throws CallError INSTANCE_NOT_INITIALIZED (1800302) before `init`; USER_NOT_AUTHENTICATED (1800303) before
   *   `authenticate` resolves; ERR_WEBSOCKET_CONNECTION_FAILED (1800202) when the channel cannot be opened.
   */
  connectWebSocket(): Promise<void>;
}

/** The addresses of the exchange when `init` gets none. */
export interface DefaultHosts {
  /** The address for requests. */
  readonly defaultApiHost: string;
  /** The address for the realtime channel. */
  readonly defaultWebsocketHost: string;
}

export interface SessionOptions {
  readonly environment: Environment;
  readonly hosts: DefaultHosts;
  readonly log: Logger;
  /** Connects an application to its exchange. */
  readonly connect: (application: Pick<ConnectionOptions, 'appId' | 'apiHost' | 'websocketHost'>) => Connection;
  /** Watches the devices, once the page can make calls. */
  readonly watchDevices: () => void;
  /** Uses the interval of statistics that the exchange sets at the sign-in, seconds. */
  readonly statsInterval: (seconds: number) => void;
  /** Ends what belongs to the user who signs out. Returns whether it still has to inform the exchange of an end. */
  readonly signedOut: () => boolean;
}

/** The application and the user of a client. The other parts of the client use their connection. */
export interface Session extends SessionFunctions {
  /**
   * Returns the connection of the application.
   * @throws CallError `INSTANCE_NOT_INITIALIZED` before `init`.
   */
  initialised(): Connection;
  /**
   * Returns the connection and the user who is signed in.
   * @throws CallError `INSTANCE_NOT_INITIALIZED` before `init`. `USER_NOT_AUTHENTICATED` without a user.
   */
  authenticated(): { readonly connection: Connection; readonly payload: UserPayload };
}

/** Returns a session without an application and a user. */
export function clientSession(options: SessionOptions): Session {
  const { environment, hosts, log } = options;
  let application = '';
  let signOuts = 0;
  let current: Connection | null = null;
  let user: { readonly payload: UserPayload; readonly user: User } | null = null;

  const initialised = () => {
    if (!current) throw new CallError(ErrorCode.INSTANCE_NOT_INITIALIZED);
    return current;
  };
  const authenticated = () => {
    const connection = initialised();
    if (!user) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    return { connection, payload: user.payload };
  };

  const signOut = (leave: (connection: Connection) => void) => {
    signOuts += 1;
    // First, so that a host that dials again when its call ends is refused.
    user = null;
    // When the host signs out in a listener of a call, the call ends after the listener, and still informs the
    // exchange.
    const isEnding = options.signedOut();
    const connection = current;
    if (!connection) return;
    if (isEnding) queueMicrotask(() => leave(connection));
    else leave(connection);
  };
  const deauthenticate = () => signOut((connection) => connection.endSession());

  const signIn = async (option: AuthOption): Promise<User> => {
    const connection = initialised();
    const { userId, accessToken } = requireObject(option, 'option') as Partial<AuthOption>;
    const credentials = {
      userId: requireId(userId, 'userId'),
      accessToken: optionalText(accessToken, 'accessToken'),
    };
    const signOutsBefore = signOuts;
    // A call that is ending must report it with the session that this login ends.
    await Promise.resolve();
    const answer = await connection.login(credentials);
    // After `deauthenticate` an earlier request must not sign a user in.
    if (signOutsBefore !== signOuts) throw new CallError(ErrorCode.USER_NOT_AUTHENTICATED);
    // The channel and the calls belong to another user.
    if (user && user.payload.user_id !== answer.user.user_id) deauthenticate();
    connection.startSession(answer.sbcall_session_token, credentials);
    options.statsInterval(answer.stats_interval);
    user = { payload: answer.user, user: new User(answer.user) };
    return user.user;
  };

  return {
    get appId() {
      return application;
    },
    get currentUser() {
      return user?.user ?? null;
    },
    init: (appId, apiHost, websocketHost) => {
      const id = requireText(appId, 'appId');
      const api = optionalHost(apiHost, 'apiHost', 'http') ?? hosts.defaultApiHost;
      const ws = optionalHost(websocketHost, 'websocketHost', 'ws') ?? hosts.defaultWebsocketHost;
      checkPrerequisites(environment);
      options.watchDevices();
      if (current?.isFor(id, api, ws)) return;
      signOut((connection) => connection.close());
      application = id;
      current = options.connect({ appId: id, apiHost: api, websocketHost: ws });
    },
    authenticate: (option, handler) => answerHost(log, 'the authenticate handler', signIn(option), handler),
    deauthenticate,
    connectWebSocket: async () => authenticated().connection.open(),
    initialised,
    authenticated,
  };
}
