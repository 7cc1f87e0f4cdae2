/** `ringback room`, through a real exchange with its media server, in processes of their own. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createExchange, type TestExchange } from './exchange.ts';
import { ringback, type Terminal } from './terminal.ts';
import { scaled } from '../../tools/run/machine-factor.ts';

let exchange: TestExchange;
beforeAll(async () => {
  exchange = await createExchange();
});
afterAll(() => exchange.close());

const running: Terminal[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill();
});

function run(...words: string[]): Terminal {
  const terminal = ringback(['room', ...words], { RINGBACK_SERVER: exchange.url });
  running.push(terminal);
  return terminal;
}

async function create(...words: string[]): Promise<string> {
  const created = run('create', ...words);
  expect(await created.exited()).toBe(0);
  return created.out.trim();
}

/** Joins a room, and waits for the entry. */
async function joined(room: string, ...words: string[]): Promise<Terminal> {
  const terminal = run('join', room, ...words);
  await terminal.saw(/entered \d/, scaled(20_000));
  return terminal;
}

const reportOf = (terminal: Terminal) => JSON.parse(terminal.out) as Report;
interface Report {
  readonly result: string;
  readonly participants: readonly {
    readonly user: string;
    readonly received: { readonly audio?: { tone: number; ok: boolean }; readonly video?: { ok: boolean } };
  }[];
  readonly mix?: { readonly received: { readonly audio?: { tone: number | null; level: number | null } } };
  readonly errors: readonly unknown[];
}

describe('rooms in the terminal', () => {
  test('create, list and delete a room without media', async () => {
    const room = await create('--item', 'name=Tea', '--as', 'carol');
    const listed = run('list');
    expect(await listed.exited()).toBe(0);
    expect(listed.out).toMatch(new RegExp(`^${room} +small_room_for_video +open +0/6 +by carol$`, 'm'));
    const removed = run('delete', room);
    expect(await removed.exited()).toBe(0);
    const again = run('delete', room);
    expect(await again.exited()).toBe(2);
    expect(again.err).toBe(`There is no open room ${room}: "ringback room list" lists the rooms (1400126).\n`);
  });

  test('two terminals in a room for video hear and see each other, with simulated participants beside them', async () => {
    const room = await create();
    const bob = await joined(room, '--as', 'bob', '--tone', '660', '--json');
    const alice = run('join', room, '--with', '2', '--for', '8s', '--require', 'audio,video', '--json');
    expect(await alice.exited(scaled(60_000)), alice.err).toBe(0);
    const { result, participants, errors } = reportOf(alice);
    expect(result).toBe('left');
    expect(participants).toHaveLength(3);
    expect(participants.find(({ user }) => user === 'bob')).toMatchObject({
      received: { audio: { tone: 660, ok: true }, video: { ok: true, width: 320, height: 240 } },
    });
    expect(errors).toEqual([]);
    const removed = run('delete', room);
    expect(await removed.exited()).toBe(0);
    expect(await bob.exited(), bob.err).toBe(1);
    expect(reportOf(bob).result).toBe('deleted');
  });

  test.each(['large_room_for_audio_only', 'large_room_for_video'])(
    'a terminal that watches a %s hears the tone of the other in its mix',
    async (type) => {
      const room = await create('--type', type);
      const bob = await joined(room, '--as', 'bob', '--tone', '660', '--json');
      const alice = run('watch', room, '--for', '6s', '--require', 'audio', '--json');
      expect(await alice.exited(scaled(60_000)), alice.err).toBe(0);
      expect(reportOf(alice).mix).toMatchObject({ received: { audio: { tone: 660 } } });
      bob.process.kill('SIGINT');
      expect(await bob.exited()).toBe(130);
    },
  );

  test('an unknown room, a full room and a second entry with --kick-siblings are explained', async () => {
    const unknown = run('join', 'nowhere');
    expect(await unknown.exited()).toBe(2);
    expect(unknown.err).toBe('There is no open room nowhere: "ringback room list" lists the rooms.\n');
    const room = await create('--type', 'small_room_for_audio_only');
    const first = await joined(room, '--with', '5', '--json');
    const seventh = run('join', room, '--as', 'bob');
    expect(await seventh.exited()).toBe(2);
    expect(seventh.err).toBe(`The room ${room} is full.\n`);
    first.process.kill('SIGINT');
    expect(await first.exited()).toBe(130);
    const second = await joined(room, '--json');
    const other = run('join', room, '--kick-siblings', '--for', '2s', '--json');
    expect(await second.exited()).toBe(1);
    expect(reportOf(second)).toMatchObject({ result: 'kicked', errors: [{ code: 1_800_707 }] });
    expect(await other.exited()).toBe(0);
  });
});
