import { describe, expect, test } from 'vitest';
import type { ServerInstance } from '../../../sim/server/server-instance.ts';
import { InstanceRegistry } from '../../../sim/server/instance-registry.ts';
import { ErrorCode } from '../../../src/protocol/errors.ts';

/** The maximum number of instances. */
const MOST = 500;

interface Opened {
  readonly instance: ServerInstance;
  isIdle: boolean;
  isClosed: boolean;
}

function instances() {
  const opened: Opened[] = [];
  const marks: string[] = [];
  const instance = (): ServerInstance => {
    const one: Opened = {
      isIdle: true,
      isClosed: false,
      // The registry asks an instance only whether it has clients, and stops it.
      instance: {
        get isIdle() {
          return one.isIdle;
        },
        dispose: () => (one.isClosed = true),
      } as unknown as ServerInstance,
    };
    opened.push(one);
    return one.instance;
  };
  const made = new InstanceRegistry({
    main: instance(),
    appId: 'app',
    userIds: ['alice', 'bob'],
    own: [],
    open: (_script, _path, mark) => {
      marks.push(mark);
      return instance();
    },
  });
  const choose = (world: number) => made.find(`/scripts/accept@w${world}/v1/realtime`, new URLSearchParams());
  const byToken = (mark: string) => made.find('/v1/realtime', new URLSearchParams({ session_token: `${mark}secret` }));
  return { main: opened[0]?.instance, scripted: opened.slice.bind(opened, 1), marks, made, choose, byToken };
}

describe('instances of scripts', () => {
  test('are limited: at the limit the least recently used one without clients is closed', () => {
    const { main, scripted, marks, choose, byToken } = instances();
    for (let world = 1; world <= MOST; world += 1) choose(world);
    const [first, second, third] = scripted();
    if (first) first.isIdle = false;
    expect(choose(2)).toMatchObject({ instance: second?.instance });
    choose(MOST + 1);
    expect(scripted().filter(({ isClosed }) => isClosed)).toEqual([third]);
    expect(byToken(marks[1] ?? '')).toMatchObject({ instance: second?.instance });
    // A session of the closed one is not valid.
    expect(byToken(marks[2] ?? '')).toMatchObject({ instance: main });
  });

  test('stop with the server: a socket that comes meanwhile opens no other one', async () => {
    const { main, scripted, made, choose } = instances();
    choose(1);
    await made.dispose();
    expect(choose(2)).toEqual({
      status: 503,
      code: ErrorCode.ERR_REQUEST_FAILED,
      message: 'The server is restarting. Try again.',
    });
    expect(scripted().map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(choose(1)).toMatchObject({ instance: scripted()[0]?.instance });
    expect(made.find('/v1/realtime', new URLSearchParams())).toMatchObject({ instance: main });
  });

  test('are refused while each of them has a client', () => {
    const { scripted, choose } = instances();
    for (let world = 1; world <= MOST; world += 1) choose(world);
    for (const one of scripted()) one.isIdle = false;
    expect(choose(MOST + 1)).toEqual({
      status: 404,
      code: ErrorCode.INVALID_PARAMETER_VALUE,
      message: 'The limit of 500 active scripts is reached. Try again when one has ended.',
    });
    expect(scripted()).toHaveLength(MOST);
  });

  test('stop with the server', async () => {
    const { made, scripted, choose } = instances();
    choose(1);
    await made.dispose();
    expect(scripted().map(({ isClosed }) => isClosed)).toEqual([true]);
  });

  test('S02 S05: are not opened by a page of another site that embeds the address, in an image for example', async () => {
    const { made, scripted, choose } = instances();
    const admit = async (headers: Record<string, string>, words = 'accept@w1') => {
      const head = { method: 'GET', path: `/scripts/${words}/portraits/bob.svg`, query: {}, headers, address: '' };
      return await made.admit(head).catch(() => 'asked of the instance');
    };
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
    for (const words of ['accept@w1', 'accept%40w1', '%'])
      expect(await admit(image, words)).toMatchObject({ status: 403 });
    expect(scripted()).toEqual([]);
    // An allowed page sends its origin, which was checked. A page of the same site and a program open it too.
    await admit({ ...image, origin: 'http://localhost:5173' });
    expect(scripted()).toHaveLength(1);
    await admit({ 'sec-fetch-site': 'same-origin' }, 'accept@w2');
    await admit({}, 'accept@w3');
    expect(scripted()).toHaveLength(3);
    // An open one is shown anywhere.
    choose(1);
    expect(await admit(image)).toBe('asked of the instance');
  });
});
