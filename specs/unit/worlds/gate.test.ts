import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Gate, openGate } from '../../../cli/worlds/real/gate.ts';

let server: Server;
let gate: Gate;
let reached: Socket[];

beforeEach(async () => {
  reached = [];
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    reached.push(socket);
    socket.on('data', (data) => socket.write(`heard ${String(data)}`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate = await openGate((server.address() as AddressInfo).port);
});
afterEach(async () => {
  await gate.close();
  for (const socket of reached) socket.destroy();
  server.close();
});

/** A client of the gate, what it received so far, and how it was closed. */
function client() {
  const socket = connect(gate.port, '127.0.0.1');
  const said = { text: '', error: '' };
  socket.on('data', (data) => (said.text += String(data)));
  socket.on('error', (error: NodeJS.ErrnoException) => (said.error = error.code ?? ''));
  // Not `once`, which rejects at an error.
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { socket, said, closed };
}

test('an open gate forwards both ways, and closes on one side what is closed on the other', async () => {
  const { socket, said } = client();
  socket.write('hello');
  await expect.poll(() => said.text).toBe('heard hello');
  socket.end();
  await expect.poll(() => reached[0]?.closed).toBe(true);
});

test('a stalled gate delivers nothing and closes nothing, and delivers everything when it is open again', async () => {
  const { socket, said } = client();
  socket.write('one ');
  await expect.poll(() => said.text).toBe('heard one ');
  gate.set('stalled');
  socket.write('two ');
  // Another connection at this time reaches no server.
  const late = client();
  late.socket.write('three ');
  await once(late.socket, 'connect');
  // A client without the gate gets its answer at this time.
  const beside = connect((server.address() as AddressInfo).port, '127.0.0.1');
  beside.write('beside');
  await once(beside, 'data');
  beside.destroy();
  expect([said.text, late.said.text, reached.length]).toEqual(['heard one ', '', 2]);
  gate.set('up');
  await expect.poll(() => [said.text, late.said.text]).toEqual(['heard one heard two ', 'heard three ']);
});

test('a reset reaches both sides, and a closed gate resets every new connection', async () => {
  const { said, closed, socket } = client();
  socket.write('hello');
  await expect.poll(() => reached.length).toBe(1);
  gate.set('down');
  gate.reset();
  await closed;
  expect(said.error).toBe('ECONNRESET');
  await expect.poll(() => reached[0]?.closed).toBe(true);
  const late = client();
  await late.closed;
  expect(late.said.error).toBe('ECONNRESET');
});

test('a gate that refuses answers with its status', async () => {
  gate.set(503);
  const { socket, said, closed } = client();
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await closed;
  expect(said.text).toMatch(/^HTTP\/1\.1 503 /);
  expect(reached).toEqual([]);
});
