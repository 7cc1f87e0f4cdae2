/** The fields of RTP packets that the SFU reads (RFC 3550, RFC 8285), and of VP8 payloads (RFC 7741). */
import { MEDIA_LIMITS } from '../../budgets/media-budgets.ts';

export interface RtpFields {
  readonly payloadType: number;
  readonly isMarker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** Without padding. */
  readonly payload: Buffer;
  /** The header extensions. Null without any. */
  readonly extensions: Buffer | null;
}

const ONE_BYTE_FORM = 0xbede;

/** Reads a packet. Returns null for a malformed one, and for one with oversized header extensions. */
export function readRtp(packet: Buffer): RtpFields | null {
  if (packet.length < 12 || packet.readUInt8(0) >> 6 !== 2) return null;
  const first = packet.readUInt8(0);
  let at = 12 + (first & 0x0f) * 4;
  let extensions: Buffer | null = null;
  if (first & 0x10) {
    if (packet.length < at + 4) return null;
    const bytes = packet.readUInt16BE(at + 2) * 4;
    // Browsers send less than 64 bytes.
    if (bytes > MEDIA_LIMITS.extensionBytes.most) return null;
    if (packet.readUInt16BE(at) === ONE_BYTE_FORM) extensions = packet.subarray(at + 4, at + 4 + bytes);
    at += 4 + bytes;
  }
  const padding = first & 0x20 ? packet.readUInt8(packet.length - 1) : 0;
  if (at + padding > packet.length) return null;
  return {
    payloadType: packet.readUInt8(1) & 0x7f,
    isMarker: (packet.readUInt8(1) & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    payload: packet.subarray(at, packet.length - padding),
    extensions,
  };
}

/** Returns a header extension of the one-byte form as text. Null when the packet lacks it. */
export function extensionText(extensions: Buffer, id: number): string | null {
  for (let at = 0; at < extensions.length;) {
    const byte = extensions.readUInt8(at);
    // A zero is padding.
    if (byte === 0) {
      at += 1;
      continue;
    }
    const length = (byte & 0x0f) + 1;
    if (byte >> 4 === id) return extensions.toString('latin1', at + 1, at + 1 + length);
    at += 1 + length;
  }
  return null;
}

/** The numbers of a VP8 payload that continue from frame to frame. Positions are bytes of the payload. */
interface Vp8Numbers {
  /** The position of the picture id. Null without one. */
  readonly pictureAt: number | null;
  readonly isLongPicture: boolean;
  /** The position of the index of the base layer. Null without one. */
  readonly baseAt: number | null;
  readonly isKeyFrame: boolean;
}

/** Reads the descriptor of a VP8 payload (RFC 7741 §4.2). Returns null when it is cut short. */
function readVp8(payload: Buffer): Vp8Numbers | null {
  let at = 1;
  let pictureAt: number | null = null;
  let isLongPicture = false;
  let baseAt: number | null = null;
  const byte = (index: number) => payload[index] ?? 0;
  const first = byte(0);
  if (first & 0x80) {
    const flags = byte(1);
    at = 2;
    if (flags & 0x80) {
      pictureAt = at;
      isLongPicture = (byte(at) & 0x80) !== 0;
      at += isLongPicture ? 2 : 1;
    }
    if (flags & 0x40) {
      baseAt = at;
      at += 1;
    }
    if (flags & 0x30) at += 1;
  }
  if (payload.length <= at) return null;
  const isStart = (first & 0x10) !== 0 && (first & 0x07) === 0;
  return { pictureAt, isLongPicture, baseAt, isKeyFrame: isStart && (byte(at) & 1) === 0 };
}

/** Returns whether a VP8 payload is the start of a key frame. */
export const startsKeyFrame = (payload: Buffer): boolean => readVp8(payload)?.isKeyFrame === true;

/** The picture id of a VP8 payload and the index of its base layer. Null for a number that it lacks. */
export interface PictureNumbers {
  readonly picture: number | null;
  readonly base: number | null;
}

export function pictureNumbers(payload: Buffer): PictureNumbers {
  const read = readVp8(payload);
  if (!read) return { picture: null, base: null };
  const { pictureAt, isLongPicture, baseAt } = read;
  const picture = () =>
    isLongPicture ? payload.readUInt16BE(pictureAt ?? 0) & 0x7fff : payload.readUInt8(pictureAt ?? 0) & 0x7f;
  return {
    picture: pictureAt === null ? null : picture(),
    base: baseAt === null ? null : payload.readUInt8(baseAt),
  };
}

/** Returns a VP8 payload whose numbers are higher by these. */
export function shiftPictureNumbers(payload: Buffer, by: { readonly picture: number; readonly base: number }): Buffer {
  if (by.picture === 0 && by.base === 0) return payload;
  const read = readVp8(payload);
  if (!read) return payload;
  const shifted = Buffer.from(payload);
  const { pictureAt, isLongPicture, baseAt } = read;
  if (pictureAt !== null && isLongPicture) {
    shifted.writeUInt16BE((((payload.readUInt16BE(pictureAt) & 0x7fff) + by.picture) & 0x7fff) | 0x8000, pictureAt);
  } else if (pictureAt !== null) {
    shifted.writeUInt8((payload.readUInt8(pictureAt) + by.picture) & 0x7f, pictureAt);
  }
  if (baseAt !== null) shifted.writeUInt8((payload.readUInt8(baseAt) + by.base) & 0xff, baseAt);
  return shifted;
}

/** Returns how far a number of 16 bits is ahead of another one. Negative: behind. */
export const ahead = (sequence: number, of: number): number => ((sequence - of + 0x8000) & 0xffff) - 0x8000;
