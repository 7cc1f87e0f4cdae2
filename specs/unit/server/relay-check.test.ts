/** The check of a relay, against relays that lie. The check against coturn is in specs/wrtc/bad-services.test.ts. */
import { createHmac } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { checkRelay, relayCheck } from '../../../sim/server/relay/relay-check.ts';
import { addressOf } from '../../../sim/server/relay/stun-channel.ts';
import {
  ATTRIBUTE,
  longTermKey,
  readMessage,
  requestOf,
  STUN,
  type StunMessage,
} from '../../../sim/server/relay/stun-message.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import { HandClock } from '../support/hand-clock.ts';

const SECRET = 'the-secret-of-the-relay';
const REALM = Buffer.from('relay.example');
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of undo.splice(0).toReversed()) await one();
});

/** Returns an answer to a request: its transaction, with this type and these attributes. */
function answerTo({ id }: StunMessage, type: number, attributes: [number, Buffer][], key?: Buffer): Buffer {
  const answer = requestOf(type, attributes);
  id.copy(answer, 8);
  if (!key) return answer;
  // The proof covers the transaction, so it is made after it.
  const proof = requestOf(type, attributes, key);
  id.copy(proof, 8);
  const covered = proof.subarray(0, proof.length - 24);
  createHmac('sha1', key)
    .update(covered)
    .digest()
    .copy(proof, proof.length - 20);
  return proof;
}

const challenge = (request: StunMessage, code = 401): Buffer =>
  answerTo(request, STUN.allocateError, [
    [ATTRIBUTE.errorCode, Buffer.from([0, 0, Math.floor(code / 100), code % 100])],
    [ATTRIBUTE.realm, REALM],
    [ATTRIBUTE.nonce, Buffer.from('nonce')],
  ]);

/** Returns the key that a relay with this secret computes for the user of a request. */
function keyOf(request: StunMessage, secret: string): Buffer {
  const username = String(request.attributes.get(ATTRIBUTE.username));
  return longTermKey(username, REALM, createHmac('sha1', secret).update(username).digest('base64'));
}

type Answer = (request: StunMessage) => Buffer | undefined;

/** Answers as a relay with this secret. */
const honest: Answer = (request) => {
  if (!request.attributes.has(ATTRIBUTE.username)) return challenge(request);
  if (request.type === STUN.refreshRequest) return answerTo(request, 0x0104, []);
  return answerTo(request, STUN.allocateSuccess, [], keyOf(request, SECRET));
};

async function udpRelay(answer: (packet: Buffer) => Buffer | undefined): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (packet: Buffer, { port, address }: RemoteInfo) => {
    const reply = answer(packet);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  undo.push(() => socket.close());
  return `turn:127.0.0.1:${socket.address().port}`;
}

const relayOf = (answer: Answer) =>
  udpRelay((packet) => {
    const request = readMessage(packet);
    return request ? answer(request) : undefined;
  });

async function tcpServer(answer: (data: Buffer) => Buffer): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => socket.write(answer(data)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => server.close());
  return `turn:127.0.0.1:${(server.address() as AddressInfo).port}?transport=tcp`;
}

const check = async (url: string, clock: Parameters<typeof checkRelay>[2] = nodeClock) =>
  checkRelay(url, { urls: [url], secret: SECRET }, clock).then(
    () => 'ok',
    (error: unknown) => String(error),
  );

describe('the check of a relay', () => {
  it('passes a relay that asks for credentials and proves the secret, over UDP and TCP, and releases its allocation', async () => {
    const types: number[] = [];
    const counted: Answer = (request) => {
      types.push(request.type);
      return honest(request);
    };
    expect(await check(await relayOf(counted))).toBe('ok');
    expect(types).toEqual([STUN.allocateRequest, STUN.allocateRequest, STUN.refreshRequest]);
    const url = await tcpServer((data) => {
      const request = readMessage(data);
      return (request && honest(request)) ?? Buffer.alloc(0);
    });
    expect(await check(url)).toBe('ok');
  });

  const isFirst = ({ attributes }: StunMessage) => !attributes.has(ATTRIBUTE.username);
  const lies: Readonly<Record<string, readonly [reason: string, () => Promise<string>]>> = {
    'another secret': ['it refuses the secret', () => relayOf((request) => challenge(request))],
    'a full relay': [
      'it refuses an allocation (error 486)',
      () => relayOf((request) => (isFirst(request) ? challenge(request) : challenge(request, 486))),
    ],
    'a relay for everyone': [
      'it asks for no credentials',
      () => relayOf((request) => answerTo(request, STUN.allocateSuccess, [])),
    ],
    'a success without a proof': [
      'its answer does not prove the secret',
      () => relayOf((request) => (isFirst(request) ? challenge(request) : answerTo(request, STUN.allocateSuccess, []))),
    ],
    'a success with the proof of another secret': [
      'its answer does not prove the secret',
      () =>
        relayOf((request) =>
          isFirst(request)
            ? challenge(request)
            : answerTo(request, STUN.allocateSuccess, [], keyOf(request, 'another')),
        ),
    ],
    'text over UDP': ['its answer is not STUN', () => udpRelay(() => Buffer.from('hello, this is no relay'))],
    'a server of HTTP': [
      'its answer is not STUN',
      () => tcpServer(() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
    'a closed port': ['it refuses the connection', () => Promise.resolve('turn:127.0.0.1:9?transport=tcp')],
    'no address': ['its address cannot be read', () => Promise.resolve('turn:relay example')],
  };
  it.each(Object.entries(lies))(
    'S46 fails for %s, with the reason and without an address',
    async (_, [reason, start]) => {
      expect(await check(await start())).toBe(`RelayError: ${reason}`);
    },
  );

  it('fails for a silent relay after three seconds, and asks it three times', async () => {
    const clock = new HandClock();
    const asked: Buffer[] = [];
    let arrived = (): void => undefined;
    const url = await udpRelay((packet) => {
      asked.push(packet);
      arrived();
      return undefined;
    });
    const next = () => new Promise<void>((resolve) => (arrived = resolve));
    let arrival = next();
    const checked = check(url, clock);
    for (const ms of [500, 1_000]) {
      await arrival;
      arrival = next();
      clock.advance(ms);
    }
    await arrival;
    clock.advance(1_500);
    expect(await checked).toBe('RelayError: it does not answer');
    expect(asked).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });

  it('of several relays needs one, and the log has one line for each reason of a relay', async () => {
    const good = await relayOf(honest);
    let isGood = false;
    const url = await relayOf((request) => (isGood ? honest(request) : challenge(request)));
    const logged: string[] = [];
    const log = new Log(({ level, message }) => void logged.push(`${level}: ${message}`), nodeClock);
    const both = relayCheck({ relay: { urls: [good, url], secret: SECRET }, clock: nodeClock, log });
    await both();
    await both();
    isGood = true;
    await both();
    expect(logged).toEqual([
      'error: relay 2 of 2 (TURN_URL) cannot be used: it refuses the secret',
      'info: relay 2 of 2 (TURN_URL) works again',
    ]);
    isGood = false;
    const one = relayCheck({ relay: { urls: [url], secret: SECRET }, clock: nodeClock, log });
    await expect(one()).rejects.toThrow('no relay works');
  });
});

it.each([
  ['turn:relay.example', { host: 'relay.example', port: 3478, transport: 'udp', isTurn: true }],
  ['turn:relay.example:80?transport=tcp', { host: 'relay.example', port: 80, transport: 'tcp', isTurn: true }],
  ['turns:relay.example:443?transport=tcp', { host: 'relay.example', port: 443, transport: 'tls', isTurn: true }],
  ['stuns:[2001:db8::1]', { host: '2001:db8::1', port: 5349, transport: 'tls', isTurn: false }],
])('the url %s has an address', (url, address) => {
  expect(addressOf(url)).toEqual(address);
});
