/**
 * The content of an unsent message. A file is shown from `preview`, an address within this page, until the server has
 * it.
 */
export type Unsaid =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'photo'; readonly file: Blob; readonly preview: string }
  | { readonly type: 'voice'; readonly file: Blob; readonly preview: string; readonly durationMs: number };

/** A message that the server has not yet received. */
export interface Unsent {
  /** The id by which the server recognises a repeated message. */
  readonly clientId: string;
  readonly channelUrl: string;
  readonly said: Unsaid;
  /** When the message was written, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * `waiting` for earlier messages or for the network. `failed`: the server refuses the message, and the outbox stops
   * retrying it.
   */
  readonly state: 'waiting' | 'failed';
  /** The error of a failed message. */
  readonly error: unknown;
}
