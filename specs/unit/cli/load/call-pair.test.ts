/** A pair of users of the load generator, on sockets of a server that the test plays. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { CallPair } from '../../../../cli/load/call-pair.ts';
import { nodeClock } from '../../../../sim/server/node-ports.ts';
import { ErrorCode } from '../../../../src/protocol/errors.ts';

type Frame = { readonly type: string; readonly request_id: string };

/** A side of the call, as the server sees it. */
class Channel {
  readonly #socket: WebSocket;
  readonly #frames: Frame[] = [];
  #waiting: (() => void) | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.#frames.push(JSON.parse(data.toString()));
      this.#waiting?.();
    });
  }

  /** Resolves with the next command of this type. */
  async next(type: string): Promise<Frame> {
    for (;;) {
      const at = this.#frames.findIndex((frame) => frame.type === type);
      if (at >= 0) return this.#frames.splice(at, 1)[0] as Frame;
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
  }

  answer({ type, request_id }: Frame, rest: object): void {
    this.#socket.send(JSON.stringify({ type: `${type}_ack`, request_id, ...rest }));
  }

  event(type: string): void {
    this.#socket.send(JSON.stringify({ type, payload: { call_id: 'c1' } }));
  }
}

let server: WebSocketServer;
let pair: CallPair;
let caller: Channel;
let callee: Channel;
/** What the pair reports of its call. */
let reports: string[];

beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const channels: Channel[] = [];
  server.on('connection', (socket) => channels.push(new Channel(socket)));
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pair = new CallPair('bob', nodeClock);
  await pair.open(url, url);
  [caller, callee] = channels as [Channel, Channel];
  reports = [];
  pair.dial({
    stepped: (step) => reports.push(step),
    refused: (command, code) => reports.push(`${command} ${code}`),
    lost: (why) => reports.push(`lost: ${why}`),
  });
  const dial = await caller.next('dial');
  callee.event('dial');
  caller.answer(dial, { payload: { call_id: 'c1' } });
});

afterEach(async () => {
  pair.close();
  await new Promise((resolve) => server.close(resolve));
});

/** Resolves when the pair has reported so many things. */
const reported = (count: number) => expect.poll(() => reports.length, { interval: 1 }).toBe(count);

it('D11: a cancel that an accept overtakes is refused, and the end that the callee hears is no loss', async () => {
  await callee.next('accept');
  await expect.poll(() => (pair.end('cancel'), reports)).toEqual(['rang']);
  const cancel = await caller.next('cancel');
  callee.event('end');
  await reported(2);
  caller.answer(cancel, { error: { code: ErrorCode.ERR_INVALID_CALL_STATUS, message: '' } });
  await reported(3);
  expect(reports).toEqual(['rang', 'ended', `cancel ${ErrorCode.ERR_INVALID_CALL_STATUS}`]);
});

it('an end that the server sends by itself is a loss', async () => {
  await callee.next('accept');
  callee.event('end');
  await reported(2);
  expect(reports).toEqual(['rang', 'lost: end']);
});
