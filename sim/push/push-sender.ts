import type { PushPayload } from '../../src/protocol/product/push.ts';

/** Sends messages to devices, wherever those are. */
export interface PushSender {
  /** By which browsers know who sends, in base64url. */
  readonly publicKey: string;
  /** Whether this could be a token of a device that can be sent to. */
  accepts(token: string): boolean;
  /** Sends the payload to each device. Never rejects; returns the tokens of devices that are gone for good. */
  send(tokens: readonly string[], payload: PushPayload): Promise<readonly string[]>;
}
