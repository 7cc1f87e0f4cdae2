import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../sim/virtual/world.ts';
import { Connection } from '../../../src/calls/connection/connection.ts';
import { callSignals } from '../../../src/calls/direct-call/call-signals.ts';
import { Log } from '../../../src/calls/logging/log.ts';
import type { SignalConsumer } from '../../../src/calls/realtime/dispatcher.ts';
import type { EventFrame } from '../../../src/protocol/envelope.ts';
import { eventFrame, outcomeOf, replyTo, ScriptedExchange, type Command } from '../virtual/scripted-exchange.ts';
import { loadedParts } from '../../../src/calls/client/loaded-parts.ts';

const audio = (callId: string, sequence: number) =>
  eventFrame('COMM', 'audio', { call_id: callId, is_enabled: true }, sequence);
/** The signal that the second consumer owns: the wire has none of rooms yet. */
const level = (sequence: number) => eventFrame('UTIL', 'log_level', { level: 'INFO' }, sequence);

/** An open connection with two consumers: direct calls, and one that stands for rooms. */
async function setUp({ calls = [], rooms = [] }: { calls?: string[]; rooms?: string[] } = {}) {
  const world = createWorld({ seed: 1, exchange: () => new ScriptedExchange() });
  const platform = world.platform('alice');
  const log = new Log(platform, loadedParts().logText);
  const got: string[] = [];
  const answers: { unended: string[]; missed: EventFrame[] } = { unended: [], missed: [] };
  const roomSignals: SignalConsumer = {
    receive: (frame) => {
      if (frame.type !== 'log_level') return false;
      got.push(`rooms ${frame.sequence_number}`);
      return true;
    },
    recovery: {
      kind: 'rooms',
      liveIds: () => rooms,
      fetchUnended: async () => answers.unended,
      fetchMissed: async (ids) => {
        got.push(`rooms fetch ${ids.join()}`);
        return answers.missed;
      },
      idOf: ({ type }) => (type === 'log_level' ? 'r1' : undefined),
      isEnd: () => false,
      unknown: (id) => got.push(`rooms unknown ${id}`),
    },
  };
  const direct = {
    receive: (frame: EventFrame) => got.push(`calls ${frame.sequence_number}`),
    liveIds: () => calls,
    unknown: (id: string) => got.push(`calls unknown ${id}`),
  };
  const connection = new Connection({
    appId: 'app',
    apiHost: 'https://api.example',
    websocketHost: 'wss://ws.example',
    platform,
    log,
    consumers: (to) => [callSignals(direct, to, log), roomSignals],
    rooms: { receive: () => undefined, restored: () => undefined, isLive: () => false },
    sessionLost: () => undefined,
  });
  const { exchange, clock } = world;
  exchange.command = (command, to) => to.reply(command, { calls: [] });
  connection.startSession('token', { userId: 'alice', accessToken: undefined });
  const opened = connection.open();
  await clock.advance(10);
  await opened;
  return { world, platform, connection, exchange, clock, got, answers };
}

describe('two consumers of signals', () => {
  test('a signal of the channel reaches the consumer that owns it, and no other', async () => {
    const { connection, exchange, clock, got } = await setUp();
    exchange.latest.send(audio('c1', 1));
    exchange.latest.send(level(2));
    exchange.latest.send(audio('c2', 3));
    await clock.advance(10);
    expect(got).toEqual(['calls 1', 'rooms 2', 'calls 3']);
    connection.close();
  });

  test('each consumer gets its own missed signals and unknown ids, whichever request brought them', async () => {
    const { connection, exchange, platform, clock, got } = await setUp({ calls: ['c1'], rooms: ['r1'] });
    exchange.answer = () => ({ status: 200, body: { signals: [audio('c1', 2), level(1)] } });
    platform.net.dropSockets();
    await clock.advance(3_000);
    expect(exchange.requests.map(({ query }) => query)).toEqual([{ call_ids: 'c1' }]);
    expect(got.toSorted()).toEqual(['calls 2', 'calls unknown c1', 'rooms 1', 'rooms fetch r1', 'rooms unknown r1']);
    connection.close();
  });

  test('a gap is fetched by the consumer that names itself, also for an id that another has', async () => {
    const { connection, exchange, clock, got } = await setUp();
    exchange.answer = () => ({ status: 200, body: { signals: [audio('same', 4)] } });
    const fetched = [
      connection.catchUp.fetchMissed('calls', 'same'),
      connection.catchUp.fetchMissed('rooms', 'same'),
      connection.catchUp.fetchMissed('no such kind', 'same'),
    ];
    await clock.advance(10);
    await Promise.all(fetched);
    expect(exchange.requests).toHaveLength(1);
    expect(got.toSorted()).toEqual(['calls 4', 'rooms fetch same']);
    connection.close();
  });

  test('HTTP-25 without a channel each request gets its own reply over HTTP, in any order', async () => {
    const { connection, exchange, platform, clock } = await setUp();
    const waiting: (() => void)[] = [];
    exchange.answer = async ({ body }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      const command = body as Command;
      return { status: 200, body: replyTo(command, { call_id: command.payload['call_id'] }) };
    };
    platform.net.setSockets('down');
    platform.net.dropSockets();
    await clock.advance(10);
    const ofCall = outcomeOf(connection.signalling.request('end', { call_id: 'c1' }));
    const ofRoom = outcomeOf(connection.signalling.request('end', { call_id: 'r1' }));
    await clock.advance(10);
    for (const answer of waiting.toReversed()) answer();
    await clock.advance(10);
    expect([ofCall, ofRoom]).toEqual([
      { times: 1, value: { call_id: 'c1' } },
      { times: 1, value: { call_id: 'r1' } },
    ]);
    connection.close();
  });
});

describe('a request with a limit of its own', () => {
  /** The limit of the keep-alive of a room (§9). */
  const limit = { ms: 5_000, replacesChannel: false };

  test('ERR-1800203 it fails at its limit, and the channel stays', async () => {
    const { connection, exchange, clock } = await setUp();
    // A heartbeat is answered: the exchange lives.
    exchange.command = (command, to) => (command.type === 'heartbeat' ? to.reply(command, {}) : undefined);
    const kept = outcomeOf(connection.signalling.request('alive', { call_id: 'r1' }, { limit }));
    await clock.advance(4_990);
    expect(kept.times).toBe(0);
    await clock.advance(20);
    expect(kept).toEqual({ times: 1, code: 1_800_203 });
    await clock.advance(1_000);
    expect(exchange.connections).toHaveLength(1);
    connection.close();
  });

  test('ERR-1800203 it fails at its limit over HTTP too', async () => {
    const { connection, exchange, platform, clock } = await setUp();
    exchange.answer = () => new Promise(() => undefined);
    platform.net.setSockets('down');
    platform.net.dropSockets();
    await clock.advance(10);
    const kept = outcomeOf(connection.signalling.request('alive', { call_id: 'r1' }, { limit }));
    await clock.advance(4_990);
    expect(kept.times).toBe(0);
    await clock.advance(20);
    expect(kept).toEqual({ times: 1, code: 1_800_203 });
    connection.close();
  });
});
