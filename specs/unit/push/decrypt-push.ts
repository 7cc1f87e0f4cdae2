/** The push functions of a browser: its subscription, and how it reads a message (RFC 8291, RFC 8188). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const SALT = 16;
const RECORD_SIZE = 4;
const TAG = 16;
/** The delimiter of the last record. */
const LAST = 2;

export interface PushReceiver {
  /** The subscription as the app gives it to the product. */
  readonly token: string;
  /** Returns the text of the message. @throws Error when it is for another receiver. */
  read(body: Uint8Array): string;
}

export function pushReceiver(endpoint: string): PushReceiver {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16);
  const subscription = {
    endpoint,
    expirationTime: null,
    keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
  };
  return {
    token: Buffer.from(JSON.stringify(subscription)).toString('base64url'),
    read(body) {
      const message = Buffer.from(body);
      const salt = message.subarray(0, SALT);
      const idAt = SALT + RECORD_SIZE + 1;
      const sender = message.subarray(idAt, idAt + message.readUInt8(SALT + RECORD_SIZE));
      const record = message.subarray(idAt + sender.length);
      const derive = (secret: Buffer, from: Buffer, info: Buffer | string, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, from, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
      const secret = derive(keys.computeSecret(sender), auth, info, 32);
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
      const cipher = createDecipheriv('aes-128-gcm', key, nonce);
      cipher.setAuthTag(record.subarray(-TAG));
      const padded = Buffer.concat([cipher.update(record.subarray(0, -TAG)), cipher.final()]);
      return padded.subarray(0, padded.lastIndexOf(LAST)).toString('utf8');
    },
  };
}
