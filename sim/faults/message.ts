/** The messages between a device and the exchange, and what may happen to them on their way. */

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  /** The body, sent as JSON. A string is sent as it is. Undefined: no body. */
  readonly body?: unknown;
  readonly redirected?: boolean;
  /** The node that answered. Absent with one node. */
  readonly node?: string;
}

/** One message on its way. `up` is from the device to the exchange. */
export interface Message {
  readonly device: string;
  readonly direction: 'up' | 'down';
  readonly via: 'socket' | 'http';
  /** The command or event (`dial`, `dial_ack`), or the method and path of a request (`GET /v1/…`). */
  readonly type: string;
  readonly text: string;
  /** The HTTP status of an answer to a request. */
  readonly status?: number;
  /** The node at the end of the channel, or that answered. Absent with one node, and for a request. */
  readonly node?: string;
}

/** What happens to a message. Undefined: it is delivered normally. */
export type Fate =
  /** It is lost. */
  | 'drop'
  /** It is delayed. Others overtake it, unless it is `inOrder`: then later messages of its channel wait for it. */
  | { readonly delayMs: number; readonly inOrder?: boolean }
  /** It waits until this many messages of its direction have passed. */
  | { readonly behind: number }
  | { readonly copies: number }
  /** It arrives on time, and a second time after this delay. Milliseconds. */
  | { readonly againAfterMs: number }
  /** It arrives with this text instead. */
  | { readonly text: string }
  /** It is never delivered. A request is answered with this; an answer is replaced by this. */
  | { readonly answer: Answer }
  | undefined;

/** A fault of messages: it decides for each message. Undefined: it does not concern the message. */
export type MessageRule = (message: Message) => Fate;

/** Returns the text of an answer or a request. */
export const textOf = ({ body }: Pick<Answer, 'body'>): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);

/** Parses a JSON text. Text that is not JSON is returned as it is. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns the type of a frame. `?` for a text that is no frame. */
export function typeOf(text: string): string {
  const frame = parseBody(text);
  return typeof frame === 'object' && frame !== null && 'type' in frame ? String(frame.type) : '?';
}
