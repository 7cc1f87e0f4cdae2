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
