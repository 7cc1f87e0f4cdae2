/** Runs the contract suites of the ports on the implementations of the terminal. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createWrtcPlatform } from '../../cli/headless/platform/wrtc-platform.ts';
import { clockContract } from '../contract/ports/clock.contract.ts';
import { type ContractSuite, setPatience } from '../contract/ports/contract.ts';
import { devicesContract } from '../contract/ports/devices.contract.ts';
import { fetchContract } from '../contract/ports/fetch.contract.ts';
import { rtcContract } from '../contract/ports/rtc.contract.ts';
import { socketContract } from '../contract/ports/socket.contract.ts';
import { machineFactor } from '../../tools/run/machine-factor.ts';

setPatience(machineFactor());
const platform = createWrtcPlatform({ tone: 440, width: 320, height: 240, fps: 24 }, () => undefined);
const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Starts one server for both: sockets at /channel, a refusal at /refused. */
const http = createServer(serve);
const sockets = new WebSocketServer({ noServer: true });
let newest: { socket: WebSocket; received: string[] } | null = null;
let origin = '';

beforeAll(async () => {
  http.on('upgrade', (request, socket, head) => {
    if (request.url !== '/channel') return socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
    return sockets.handleUpgrade(request, socket, head, (opened) => {
      const received: string[] = [];
      opened.on('message', (data) => received.push((data as Buffer).toString()));
      newest = { socket: opened, received };
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  origin = `127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets.clients) socket.terminate();
  http.closeAllConnections();
  http.close();
});

function suite<Subject>(name: string, cases: ContractSuite<Subject>, subject: () => Subject): void {
  describe(`contract of the ${name} port, terminal`, () => {
    for (const { title, run } of cases) test(title, () => run(subject()));
  });
}

suite('clock', clockContract, () => ({ clock: platform.clock, pass }));
suite('devices', devicesContract, () => ({ devices: platform.devices, pass }));
suite('fetch', fetchContract, () => ({
  fetch: platform.fetch,
  pass,
  origin: `http://${origin}`,
  // Port 9 (discard), at which no program listens.
  deadOrigin: 'http://127.0.0.1:9',
}));
suite('socket', socketContract, () => ({
  sockets: platform.sockets,
  pass,
  url: `ws://${origin}/channel`,
  deadUrl: 'ws://127.0.0.1:9/channel',
  refusingUrl: `ws://${origin}/refused`,
  server: {
    received: () => newest?.received ?? [],
    send: (text) => newest?.socket.send(text),
    close: (code) => newest?.socket.close(code),
  },
}));
test('messages that arrive together are dispatched one by one: the promises of the first settle before the second', async () => {
  const emitted: string[] = [];
  const socket = platform.sockets.open(`ws://${origin}/channel`, {
    opened: () => emitted.push('opened'),
    received: (text) => {
      emitted.push(text);
      // At least as deep as a reply passes through the promises of the library.
      let reaction = Promise.resolve();
      for (let depth = 0; depth < 50; depth += 1) reaction = reaction.then(() => undefined);
      void reaction.then(() => emitted.push(`done with ${text}`));
    },
    closed: () => undefined,
  });
  await expect.poll(() => emitted).toEqual(['opened']);
  const server = newest?.socket as WebSocket & { readonly _socket: Socket };
  // Both messages in one packet.
  server._socket.cork();
  server.send('reply');
  server.send('event');
  server._socket.uncork();
  await expect.poll(() => emitted).toEqual(['opened', 'reply', 'done with reply', 'event', 'done with event']);
  socket.close(1000);
});

test('a terminal refuses screen sharing, captures and recordings', async () => {
  const { devices, frames, recorder } = platform;
  expect(devices.canCaptureDisplay).toBe(false);
  await expect(devices.getDisplayMedia({ video: true })).rejects.toMatchObject({ name: 'NotSupportedError' });
  expect(frames.hasPicture({} as HTMLMediaElement)).toBe(false);
  expect(() => frames.draw({} as HTMLMediaElement)).toThrow(/no picture/);
  expect(recorder.isSupported('audio/webm')).toBe(false);
  expect(() => recorder.start({ audio: [], video: null }, 'audio/webm')).toThrow(/no media recording/);
});

suite('rtc', rtcContract, () => ({
  rtc: [platform.rtc, platform.rtc] as const,
  track: (kind) => (kind === 'audio' ? platform.devices.silence() : platform.devices.blackPicture()),
  pass,
}));

function serve(request: IncomingMessage, response: ServerResponse): void {
  const answers: Record<string, () => void> = {
    '/echo': () => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.end(JSON.stringify({ method: request.method, body, header: request.headers['x-contract'] }));
      });
    },
    '/teapot': () => response.writeHead(418).end('teapot'),
    '/moved': () => response.writeHead(302, { location: '/echo' }).end(),
    '/silent': () => undefined,
  };
  (answers[request.url ?? ''] ?? (() => response.writeHead(404).end()))();
}
