/** What gets a token from a push service: web-push-provider.ts, fcm-provider.ts, or none. */
export interface PushProvider {
  isSupported(): Promise<boolean>;
  /**
   * The token of this installation: the present one, or a new one. `vapidKey` is the public key of whoever will send,
   * in base64url.
   *
   * @throws PushError
   */
  getToken(options: { vapidKey: string; registration: ServiceWorkerRegistration }): Promise<string>;
  /** Messages that the provider itself hands to an open page. Returns the undo. */
  onForeground(listener: (payload: unknown) => void): () => void;
  /** The token is of no use any more. */
  deleteToken(): Promise<void>;
}

/** Where no push is wanted. */
export const noPush: PushProvider = {
  isSupported: () => Promise.resolve(false),
  getToken: () => Promise.reject(new Error('This deployment has no push')),
  onForeground: () => () => {},
  deleteToken: () => Promise.resolve(),
};
