/** The part of the protocol buffer wire format that Chromium's push connection uses. */

export type Field = readonly [number: number, value: number | string | Uint8Array | { readonly fixed64: bigint }];

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left % 128) + 128);
    left = Math.floor(left / 128);
  }
  return Buffer.from([...bytes, left]);
}

export function encode(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number * 8 + VARINT), varint(value)];
      if (typeof value === 'object' && 'fixed64' in value) {
        const bytes = Buffer.alloc(8);
        bytes.writeBigUInt64LE(value.fixed64);
        return [varint(number * 8 + FIXED64), bytes];
      }
      const bytes = Buffer.from(value as string);
      return [varint(number * 8 + BYTES), varint(bytes.length), bytes];
    }),
  );
}

/** Reads a varint. Returns its value and its end. Undefined when it is incomplete. */
export function readVarint(bytes: Uint8Array, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * 128 ** (at - start);
    if (byte < 128) return { value, end: at + 1 };
  }
  return undefined;
}

/** Returns the texts of one field of a message. */
export function textsOf(message: Uint8Array, wanted: number): string[] {
  const texts: string[] = [];
  for (let at = 0; at < message.length;) {
    const key = readVarint(message, at);
    if (key === undefined) return texts;
    const type = key.value % 8;
    if (type === FIXED64) {
      at = key.end + 8;
    } else {
      const value = readVarint(message, key.end);
      if (value === undefined) return texts;
      const end = type === BYTES ? value.end + value.value : value.end;
      if (type === BYTES && Math.floor(key.value / 8) === wanted) {
        texts.push(Buffer.from(message.subarray(value.end, end)).toString('utf8'));
      }
      at = end;
    }
  }
  return texts;
}
