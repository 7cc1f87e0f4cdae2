/** Why there is no push here. The first three are the names under which push libraries tell it (app-shell §8). */
export type PushErrorName =
  /** The browser cannot do it at all. */
  | 'unsupported-browser'
  /** The browser keeps nothing, as some private windows do, and so no subscription either. */
  | 'indexed-db-unsupported'
  /** It was tried in a worker. */
  | 'only-available-in-window'
  /** The service worker did not become active in time. */
  | 'activation-timeout'
  /** The push service did not answer in time. */
  | 'installation-timeout'
  /** The push service answered, and gave no token. */
  | 'no-token';

export class PushError extends Error {
  override readonly name = 'PushError';
  readonly code: PushErrorName;

  constructor(code: PushErrorName, message: string, options: { cause?: unknown } = {}) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}
