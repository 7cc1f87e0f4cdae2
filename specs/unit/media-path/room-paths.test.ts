import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import type { RoomMedia } from '../../../sim/exchange/rooms/room-media.ts';
import { createPathProxy, type PathProxy } from '../../../sim/media/path-proxy.ts';
import { roomsThroughPaths } from '../../../sim/media/room-paths.ts';
import { nodeClock, nodeRandom } from '../../../sim/server/node-ports.ts';

const PLAN = { endpointId: 'e', participantId: 'p', audio: 'sendonly', video: 'sendonly' } as const;
const HEAD = 'v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n';

/** Opens a UDP server that answers each packet, and a room of an engine that is at its address. */
async function roomAtServer(inner: Partial<RoomMedia> = {}) {
  const server = createSocket('udp4').on('message', (packet, { port }) => server.send(`re ${String(packet)}`, port));
  const client = createSocket('udp4');
  for (const socket of [server, client]) {
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    onTestFinished(() => void socket.close());
  }
  const { port } = server.address();
  const candidates = [
    `a=candidate:1 1 udp 2130706431 127.0.0.1 ${port} typ host`,
    `a=candidate:2 1 tcp 2130706430 127.0.0.1 ${port} typ host`,
  ];
  const answer = `${HEAD}${candidates.join('\r\n')}\r\na=end-of-candidates\r\n`;
  const paths: (PathProxy & { readonly participantId: string })[] = [];
  const media = {
    create: () => Promise.resolve(answer),
    negotiate: () => Promise.resolve(answer),
    release: () => undefined,
    close: () => undefined,
    ...inner,
  } as unknown as RoomMedia;
  const engine = roomsThroughPaths({ open: () => media, close: () => undefined }, ({ participantId }) => {
    const path = createPathProxy({ clock: nodeClock, random: nodeRandom });
    onTestFinished(() => path.dispose());
    paths.push(Object.assign(path, { participantId }));
    return path;
  });
  const send = async (text: string, to: number) => {
    const arrived = once(client, 'message', { signal: AbortSignal.timeout(2_000) });
    client.send(text, to);
    return String(((await arrived) as [Buffer])[0]);
  };
  return { room: engine.open('r', 'small_room_for_video'), port, paths, client, send };
}

/** Returns the ports of the candidates of an answer. */
const portsIn = (answer: string) =>
  [...answer.matchAll(/^a=candidate:.* 127\.0\.0\.1 (\d+) typ/gm)].map(([, at]) => Number(at));

test('an answer has the address of a proxy, and packets of both directions pass it until it is cut', async () => {
  const { room, port, paths, client, send } = await roomAtServer();
  const answer = await room.create(PLAN, 'offer');
  expect(answer).toMatch(/^v=0\r\nm=audio 9 UDP\/TLS\/RTP\/SAVPF 111\r\na=candidate:1 .*\r\na=end-of-candidates\r\n$/);
  const [at = 0, ...others] = portsIn(answer);
  expect([at === port, others]).toEqual([false, []]);
  expect(paths.map(({ participantId }) => participantId)).toEqual(['p']);
  expect(await send('check', at)).toBe('re check');
  expect(portsIn(await room.negotiate('e', 'later offer'))).toEqual([at]);

  paths[0]?.cut();
  client.send('lost', at);
  await expect.poll(() => paths[0]?.stats().dropped).toBe(1);
  paths[0]?.restore();
  expect(await send('again', at)).toBe('re again');
});

test('the end of an endpoint that its engine closes is reported', () => {
  const closed: string[] = [];
  const engine = roomsThroughPaths(
    {
      open: (_roomId, _type, report) => {
        report?.('e');
        return {} as RoomMedia;
      },
      close: () => undefined,
    },
    () => createPathProxy({ clock: nodeClock, random: nodeRandom }),
  );
  engine.open('r', 'small_room_for_video', (endpointId) => void closed.push(endpointId));
  expect(closed).toEqual(['e']);
});

test('the path of an endpoint ends with its release, with its room, and when it is refused', async () => {
  const { room, paths } = await roomAtServer();
  const opened = () => paths.map((path) => path.stats().proxies);
  await room.create(PLAN, 'offer');
  await room.create({ ...PLAN, endpointId: 'f' }, 'offer');
  expect(opened()).toEqual([1, 1]);
  room.release('e');
  expect(opened()).toEqual([0, 1]);
  room.close();
  expect(opened()).toEqual([0, 0]);

  const dispose: string[] = [];
  const refused = await roomAtServer({ create: () => Promise.reject(new Error('no')) });
  const creating = refused.room.create(PLAN, 'offer');
  const [path] = refused.paths;
  if (path) path.dispose = () => void dispose.push('disposed');
  await expect(creating).rejects.toThrow('no');
  expect(dispose).toEqual(['disposed']);
});
