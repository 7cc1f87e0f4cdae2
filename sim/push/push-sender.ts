import type { PushPayload } from '../../src/protocol/product/push.ts';

/** A sender of messages to devices. */
export interface PushSender {
  /** The public key by which browsers recognize the sender, in base64url. */
  readonly publicKey: string;
  /** Returns whether this can be the token of a device that the sender can reach. */
  accepts(token: string): boolean;
  /** Sends the payload to each device. Never rejects. Returns the tokens of devices that no longer exist. */
  send(tokens: readonly string[], payload: PushPayload): Promise<readonly string[]>;
}
