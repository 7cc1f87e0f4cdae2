/** The messages of STUN (RFC 8489) and TURN (RFC 8656) that the check of a relay sends and reads. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
const INTEGRITY_BYTES = 20;

/** The types of messages: the method, with the class of the message. */
export const STUN = {
  bindingRequest: 0x0001,
  bindingSuccess: 0x0101,
  allocateRequest: 0x0003,
  allocateSuccess: 0x0103,
  allocateError: 0x0113,
  refreshRequest: 0x0004,
} as const;

/** The attributes of messages. */
export const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  requestedTransport: 0x0019,
} as const;

type Attributes = readonly (readonly [type: number, value: Buffer])[];

export interface StunMessage {
  readonly type: number;
  readonly id: Buffer;
  readonly attributes: ReadonlyMap<number, Buffer>;
  readonly raw: Buffer;
}

/** Returns the key of messages with long-term credentials (RFC 8489 §9.2.2). */
export const longTermKey = (username: string, realm: Buffer, password: string): Buffer =>
  createHash('md5')
    .update(Buffer.concat([Buffer.from(`${username}:`), realm, Buffer.from(`:${password}`)]))
    .digest();

/** Returns a request with a new transaction. @param key - proves the credentials. Default: no proof. */
export function requestOf(type: number, attributes: Attributes = [], key?: Buffer): Buffer {
  const body = Buffer.concat(attributes.map(([name, value]) => attributeOf(name, value)));
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(type, 0);
  header.writeUInt16BE(body.length, 2);
  header.writeUInt32BE(COOKIE, 4);
  randomBytes(12).copy(header, 8);
  if (!key) return Buffer.concat([header, body]);
  // The proof covers a length that includes it (RFC 8489 §14.5).
  header.writeUInt16BE(body.length + 4 + INTEGRITY_BYTES, 2);
  const proof = createHmac('sha1', key)
    .update(Buffer.concat([header, body]))
    .digest();
  return Buffer.concat([header, body, attributeOf(ATTRIBUTE.integrity, proof)]);
}

function attributeOf(type: number, value: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(value.length, 2);
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

/**
 * Returns the length of the message that begins here. Null before its header has arrived. Undefined for bytes that are
 * no message.
 */
export function lengthOf(bytes: Buffer): number | null | undefined {
  if (bytes.length >= 1 && ((bytes[0] ?? 0) & 0xc0) !== 0) return undefined;
  if (bytes.length < HEADER_BYTES) return null;
  if (bytes.readUInt32BE(4) !== COOKIE || bytes.readUInt16BE(2) % 4 !== 0) return undefined;
  return HEADER_BYTES + bytes.readUInt16BE(2);
}

/** Returns the message of these bytes. Null for bytes that are no message. */
export function readMessage(raw: Buffer): StunMessage | null {
  if (lengthOf(raw) !== raw.length) return null;
  const attributes = new Map<number, Buffer>();
  for (let at = HEADER_BYTES; at + 4 <= raw.length;) {
    const [type, length] = [raw.readUInt16BE(at), raw.readUInt16BE(at + 2)];
    if (at + 4 + length > raw.length) return null;
    if (!attributes.has(type)) attributes.set(type, raw.subarray(at + 4, at + 4 + length));
    // What follows the proof is not covered by it (RFC 8489 §14.5).
    if (type === ATTRIBUTE.integrity) break;
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  return { type: raw.readUInt16BE(0), id: raw.subarray(8, HEADER_BYTES), attributes, raw };
}

/** Returns the number of an error. 0 without one. */
export function errorOf({ attributes }: StunMessage): number {
  const value = attributes.get(ATTRIBUTE.errorCode);
  return value && value.length >= 4 ? ((value[2] ?? 0) & 7) * 100 + (value[3] ?? 0) : 0;
}

/** Returns whether the sender of a message has this key. */
export function isProven({ attributes, raw }: StunMessage, key: Buffer): boolean {
  const proof = attributes.get(ATTRIBUTE.integrity);
  if (proof?.length !== INTEGRITY_BYTES) return false;
  const end = proof.byteOffset - raw.byteOffset - 4;
  const covered = Buffer.from(raw.subarray(0, end));
  covered.writeUInt16BE(end - HEADER_BYTES + 4 + INTEGRITY_BYTES, 2);
  return timingSafeEqual(createHmac('sha1', key).update(covered).digest(), proof);
}
