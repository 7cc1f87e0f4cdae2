/**
 * A websocket client of a load generator (RFC 6455), on a bare socket: it costs the generator less than `ws` does. It
 * masks with zeros, which is a legal mask, and reads unfragmented text alone, as the exchange sends it.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../src/common/clock.ts';

const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;
const FINAL = 0x80;
const MASKED = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;
const HEAD_END = Buffer.from('\r\n\r\n');
/** The most bytes of the answer to the upgrade, and of a frame of the server. */
const HEAD_BYTES = 16 * 1024;
const FRAME_BYTES = 1024 * 1024;
/** The longest wait for the answer to the upgrade, milliseconds. */
const OPEN_LIMIT_MS = 20_000;

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

/** Connects, and returns the request for the upgrade. */
function connection({ protocol, hostname, port, pathname, search, host }: URL): {
  readonly socket: Socket;
  readonly request: string;
} {
  const request =
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
  const address = hostname.replace(/^\[|\]$/g, '');
  const socket =
    protocol === 'wss:'
      ? connectTls({ host: address, port: Number(port || 443), servername: address })
      : connect(Number(port || 80), address);
  return { socket, request };
}

/** An open channel of a user. */
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
    // A close follows each error.
    socket.on('error', () => undefined);
  }

  /** Opens a socket at a `ws:` or `wss:` URL. Rejects when the upgrade is refused, or not answered in time. */
  static open(
    url: string,
    listener: (text: string) => void,
    closed: (why: string) => void,
    clock: Pick<Clock, 'after'>,
  ): Promise<RawSocket> {
    const { socket, request } = connection(new URL(url));
    socket.setNoDelay(true);
    socket.write(request);
    return new Promise((resolve, reject) => {
      let head = Buffer.alloc(0);
      const fail = (error: Error): void => {
        limit.cancel();
        socket.destroy();
        reject(error);
      };
      const limit = clock.after(OPEN_LIMIT_MS, () => fail(new Error('the upgrade was not answered in time')));
      const onClose = () => fail(new Error('the server closed the socket before its upgrade'));
      const onData = (data: Buffer): void => {
        head = Buffer.concat([head, data]);
        const end = head.indexOf(HEAD_END);
        if (end < 0 && head.length > HEAD_BYTES) return fail(new Error('the answer to the upgrade is too long'));
        if (end < 0) return;
        limit.cancel();
        socket.off('data', onData);
        socket.off('error', fail);
        socket.off('close', onClose);
        const status = head.subarray(0, end).toString('latin1').split('\r\n')[0] ?? '';
        if (!status.includes(' 101 ')) return fail(new Error(`the upgrade was refused: ${status}`));
        const opened = new RawSocket(socket, head.subarray(end + HEAD_END.length), listener, closed);
        resolve(opened);
        // The first frame may come with the answer to the upgrade.
        queueMicrotask(() => opened.#read(Buffer.alloc(0)));
      };
      socket.once('error', fail);
      socket.once('close', onClose);
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
      if (length > FRAME_BYTES) {
        this.#socket.destroy();
        return;
      }
      if (rest.length < at + length) break;
      const payload = rest.subarray(at, at + length);
      rest = rest.subarray(at + length);
      if (opcode === TEXT) this.#listener(payload.toString('utf8'));
      if (opcode === PING) this.#socket.write(frameOf(PONG, Buffer.from(payload)));
      if (opcode === CLOSE) {
        this.#socket.destroy();
        return;
      }
    }
    this.#rest = Buffer.from(rest);
  }
}
