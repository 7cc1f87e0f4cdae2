/** The bytes of a realtime channel on the wire (RFC 6455). */
import { createHash } from 'node:crypto';

const FINAL = 0x80;
const MASKED = 0x80;
const TEXT = 1;
const CLOSE = 8;
/** The suffix that a server appends to a client's key to prove that it has read it. */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** The close codes that no frame may carry: "no code" and "closed abnormally". */
const UNSAID = [1005, 1006];

/** Returns the upgrade request and its answer. @param key - any 16 bytes. */
export function upgradeTexts(host: string, path: string, key: Buffer): { asked: string; answered: string } {
  const sent = key.toString('base64');
  const accept = createHash('sha1').update(`${sent}${ACCEPT_SUFFIX}`).digest('base64');
  const both = ['Connection: Upgrade', 'Upgrade: websocket'];
  return {
    asked: httpText([
      `GET ${path} HTTP/1.1`,
      `Host: ${host}`,
      ...both,
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${sent}`,
    ]),
    answered: httpText(['HTTP/1.1 101 Switching Protocols', ...both, `Sec-WebSocket-Accept: ${accept}`]),
  };
}

/** Returns a request or an answer as text: its head and its body. */
export const httpText = (lines: readonly string[], body = ''): string => `${lines.join('\r\n')}\r\n\r\n${body}`;

/** Returns a text frame. @param mask - four bytes if a client sends it, undefined if the server does. */
export const textFrame = (text: string, mask: Buffer | undefined): Buffer => frame(TEXT, Buffer.from(text), mask);

export function closeFrame(code: number, mask: Buffer | undefined): Buffer {
  return frame(CLOSE, UNSAID.includes(code) ? Buffer.alloc(0) : Buffer.of(code >> 8, code & 255), mask);
}

function frame(opcode: number, payload: Buffer, mask: Buffer | undefined): Buffer {
  const head = [Buffer.of(FINAL | opcode), lengthBytes(payload.length, mask ? MASKED : 0)];
  if (!mask) return Buffer.concat([...head, payload]);
  return Buffer.concat([...head, mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

function lengthBytes(length: number, masked: number): Buffer {
  if (length < 126) return Buffer.of(masked | length);
  if (length <= 0xffff) return Buffer.of(masked | 126, length >> 8, length & 255);
  const long = Buffer.alloc(9);
  long.writeUInt8(masked | 127, 0);
  long.writeBigUInt64BE(BigInt(length), 1);
  return long;
}
