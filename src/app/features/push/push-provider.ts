/** A source of push tokens: web-push-provider.ts, fcm-provider.ts, or none. */
export interface PushProvider {
  isSupported(): Promise<boolean>;
  /**
   * Resolves to the existing token of this installation, or to a new one. `vapidKey` is the public key of the sender in
   * base64url.
   * | @throws PushError with the reason.
   */
  getToken(options: { vapidKey: string; registration: ServiceWorkerRegistration }): Promise<string>;
  /**
   * Calls the listener for messages that the provider delivers to an open page. Returns the function that unsubscribes.
   */
  onForeground(listener: (payload: unknown) => void): () => void;
  /** Deletes the token, which is no longer needed. */
  deleteToken(): Promise<void>;
}

/** The provider of a deployment without push. */
export const noPush: PushProvider = {
  isSupported: () => Promise.resolve(false),
  getToken: () => Promise.reject(new Error('This deployment does not support push')),
  onForeground: () => () => {},
  deleteToken: () => Promise.resolve(),
};

/** The reason why push is unavailable. The first three are names of the push libraries (app-shell §8). */
export type PushErrorName =
  /** The browser does not support push. */
  | 'unsupported-browser'
  /** The browser stores no data and so no subscription, for example in some private windows. */
  | 'indexed-db-unsupported'
  /** Push was requested in a worker. */
  | 'only-available-in-window'
  /** The service worker did not become active in time. */
  | 'activation-timeout'
  /** The push service did not answer in time. */
  | 'installation-timeout'
  /** The push service answered without a token. */
  | 'no-token';

/** A failure of push with its reason as the code. */
export class PushError extends Error {
  override readonly name = 'PushError';
  readonly code: PushErrorName;

  constructor(code: PushErrorName, message: string, options: { cause?: unknown } = {}) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
