import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { parseCandidate } from '../../../sim/media/candidate.ts';
import { HandClock } from '../support/hand-clock.ts';
import { createPathProxy, type PathProxy } from '../../../sim/media/path-proxy.ts';
import { nodeClock, nodeRandom } from '../../../sim/server/node-ports.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.splice(0).reverse()) one();
});

async function endpoint(): Promise<{ socket: Socket; port: number; candidate: string }> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  undo.push(() => socket.close());
  const { port } = socket.address();
  return { socket, port, candidate: `candidate:1 1 udp 2122260223 127.0.0.1 ${port} typ host generation 0` };
}

function proxyOf(): PathProxy {
  const path = createPathProxy({ clock: nodeClock, random: nodeRandom });
  undo.push(() => path.dispose());
  return path;
}

async function received(socket: Socket): Promise<{ text: string; port: number }> {
  const [packet, from] = (await once(socket, 'message', { signal: AbortSignal.timeout(2_000) })) as [
    Buffer,
    { port: number },
  ];
  return { text: packet.toString(), port: from.port };
}

describe('path proxy', () => {
  test('forwards packets and the replies, and hides the real addresses', async () => {
    const path = proxyOf();
    const [caller, callee] = [await endpoint(), await endpoint()];
    const rewritten = parseCandidate((await path.rewriteCandidate(callee.candidate, 'callee')) ?? '');
    expect(rewritten).toMatchObject({ address: '127.0.0.1' });
    expect(rewritten?.port).not.toBe(callee.port);

    caller.socket.send('hello', rewritten?.port as number, '127.0.0.1');
    const there = await received(callee.socket);
    expect(there.text).toBe('hello');
    expect(there.port).not.toBe(caller.port);

    callee.socket.send('hi', there.port, '127.0.0.1');
    expect(await received(caller.socket)).toEqual({ text: 'hi', port: rewritten?.port });
    expect(path.stats()).toEqual({ passed: 2, dropped: 0, proxies: 1, sockets: 2 });
  });

  test('forwards nothing while it is cut, and everything after that', async () => {
    const path = proxyOf();
    const [caller, callee] = [await endpoint(), await endpoint()];
    const to = parseCandidate((await path.rewriteCandidate(callee.candidate, 'callee')) ?? '')?.port as number;
    const arrived: string[] = [];
    callee.socket.on('message', (packet) => arrived.push(packet.toString()));
    path.cut();
    caller.socket.send('lost', to, '127.0.0.1');
    await expect.poll(() => path.stats().dropped).toBe(1);
    path.restore();
    caller.socket.send('found', to, '127.0.0.1');
    await expect.poll(() => arrived).toContain('found');
    expect(arrived).toEqual(['found']);
  });

  test('delays packets by the clock that is passed in, and sends none after its end', async () => {
    const clock = new HandClock();
    const path = createPathProxy({ clock, random: () => 0.5 });
    undo.push(() => path.dispose());
    const [caller, callee] = [await endpoint(), await endpoint()];
    const to = parseCandidate((await path.rewriteCandidate(callee.candidate, 'callee')) ?? '')?.port as number;
    path.setQuality({ lossRate: 0.5, rttMs: 100, jitterMs: 20 });
    const arrived = received(callee.socket);
    caller.socket.send('delayed', to, '127.0.0.1');
    await expect.poll(() => clock.pending).toBe(1);
    clock.advance(59);
    expect(clock.pending).toBe(1);
    clock.advance(1);
    expect((await arrived).text).toBe('delayed');
    caller.socket.send('late', to, '127.0.0.1');
    await expect.poll(() => clock.pending).toBe(1);
    path.dispose();
    expect(clock.pending).toBe(0);
  });

  test('uses one proxy for an address, also for repeated candidates', async () => {
    const path = proxyOf();
    const { candidate } = await endpoint();
    const [first, second] = await Promise.all([
      path.rewriteCandidate(candidate, 'caller'),
      path.rewriteCandidate(candidate.replace('candidate:1', 'candidate:7'), 'caller'),
    ]);
    expect(parseCandidate(first as string)).toEqual(parseCandidate(second as string));
    expect(path.stats().proxies).toBe(1);
    await path.rewriteCandidate(candidate, 'callee');
    expect(path.stats().proxies).toBe(2);
  });

  test('drops candidates that avoid it: TCP, names, link-local addresses, invalid candidates', async () => {
    const path = proxyOf();
    for (const candidate of [
      'candidate:1 1 tcp 1518280447 127.0.0.1 9 typ host tcptype active',
      'candidate:1 1 udp 2122260223 3f0c8b1e-9d6b-4b0a-8d5e-0c1a2b3c4d5e.local 50000 typ host',
      'candidate:1 1 udp 2122260223 fe80::1 50000 typ host',
      'nonsense',
    ]) {
      expect(await path.rewriteCandidate(candidate, 'caller')).toBeNull();
    }
    expect(await path.rewriteCandidate('', 'caller')).toBe('');
    expect(path.stats().sockets).toBe(0);
  });

  test('leaves no socket open after its end, also none that was being opened', async () => {
    const path = createPathProxy({ clock: nodeClock, random: nodeRandom });
    const { candidate } = await endpoint();
    await path.rewriteCandidate(candidate, 'caller');
    const late = path.rewriteCandidate(candidate, 'callee');
    path.dispose();
    expect(await late).toBeNull();
    expect(await path.rewriteCandidate(candidate, 'callee')).toBeNull();
    expect(path.stats()).toMatchObject({ proxies: 0, sockets: 0 });
    path.dispose();
  });
});
