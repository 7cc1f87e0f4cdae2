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
