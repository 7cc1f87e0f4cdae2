/**
 * A websocket client of a bench (RFC 6455), on a bare TCP socket: it costs the load generator less than `ws` does.
 * It masks with zeros, which is a legal mask, and reads unfragmented text alone.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const FINAL = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const HEAD_END = Buffer.from('\r\n\r\n');

/** Returns a masked frame. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const length = payload.length;
  const extended = length < LENGTH_16 ? 0 : length <= 0xffff ? 2 : 8;
  const frame = Buffer.alloc(2 + extended + 4 + length);
  frame[0] = FINAL | opcode;
  frame[1] = MASKED | (extended === 0 ? length : extended === 2 ? LENGTH_16 : LENGTH_64);
  if (extended === 2) frame.writeUInt16BE(length, 2);
  if (extended === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  payload.copy(frame, 2 + extended + 4);
  return frame;
}

export class RawSocket {
  readonly #socket: Socket;
  readonly #listener: (text: string) => void;
  #rest: Buffer;
  #isClosing = false;

  private constructor(socket: Socket, rest: Buffer, listener: (text: string) => void, closed: (why: string) => void) {
    this.#socket = socket;
    this.#rest = rest;
    this.#listener = listener;
    socket.on('data', (data) => this.#read(data));
    socket.on('close', () => {
      if (!this.#isClosing) closed('the server closed a socket');
    });
    socket.on('error', (error) => {
      if (!this.#isClosing) closed(error.message);
    });
  }

  /** Opens a socket at a `ws:` URL. Rejects when the upgrade is refused. */
  static open(url: string, listener: (text: string) => void, closed: (why: string) => void): Promise<RawSocket> {
    const { hostname, port, pathname, search, host } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.write(
      `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    );
    return new Promise((resolve, reject) => {
      let head = Buffer.alloc(0);
      socket.once('error', reject);
      const onData = (data: Buffer): void => {
        head = Buffer.concat([head, data]);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        socket.off('data', onData);
        socket.off('error', reject);
        const status = head.subarray(0, end).toString('latin1').split('\r\n')[0] ?? '';
        if (!status.includes(' 101 ')) {
          socket.destroy();
          reject(new Error(`the upgrade was refused: ${status}`));
          return;
        }
        const opened = new RawSocket(socket, head.subarray(end + HEAD_END.length), listener, closed);
        resolve(opened);
        // The first frame may come with the answer to the upgrade.
        queueMicrotask(() => opened.#read(Buffer.alloc(0)));
      };
      socket.on('data', onData);
    });
  }

  send(text: string): void {
    this.#socket.write(frameOf(TEXT, Buffer.from(text)));
  }

  close(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    let rest = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    for (;;) {
      if (rest.length < 2) break;
      const opcode = (rest[0] ?? 0) & 0x0f;
      let length = (rest[1] ?? 0) & 0x7f;
      let at = 2;
      if (length === LENGTH_16) {
        if (rest.length < 4) break;
        length = rest.readUInt16BE(2);
        at = 4;
      } else if (length === LENGTH_64) {
        if (rest.length < 10) break;
        length = Number(rest.readBigUInt64BE(2));
        at = 10;
      }
      if (rest.length < at + length) break;
      const payload = rest.subarray(at, at + length);
      rest = rest.subarray(at + length);
      if (opcode === TEXT) this.#listener(payload.toString('utf8'));
      if (opcode === PING) this.#socket.write(frameOf(PONG, Buffer.from(payload)));
      if (opcode === CLOSE) this.#socket.destroy();
    }
    this.#rest = Buffer.from(rest);
  }
}
