import { describe, expect, it } from 'vitest';
import { violationsOf } from '../../../sim/scenario/invariants/aftermath.ts';
import { drawRoom } from '../../../sim/scenario/explore/draw-room.ts';
import { explore, scenarioText } from '../../../sim/scenario/explore/explore.ts';
import { ROOM_INVARIANTS } from '../../../sim/scenario/explore/room-invariants.ts';
import { ROOM_MODEL } from '../../../sim/scenario/explore/room-model.ts';
import { readScenario } from '../../../sim/scenario/format/read-scenario.ts';
import type { Acted, ScenarioWorld } from '../../../sim/scenario/run/world.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';

describe('random stories of rooms', () => {
  it('are equal for the same seed, differ for others, and can be written and read', () => {
    expect(drawRoom(7)).toEqual(drawRoom(7));
    expect(drawRoom(8).steps).not.toEqual(drawRoom(7).steps);
    const users = new Set<number>();
    for (let seed = 1; seed <= 40; seed += 1) {
      const drawn = drawRoom(seed);
      users.add(Object.keys(drawn.actors).length);
      const read = readScenario('found.yaml', scenarioText(drawn, { id: 'I17', message: 'x' }, 'room'));
      expect([read.steps.length, read.invariants]).toEqual([drawn.steps.length, 'room']);
    }
    expect([...users].toSorted((one, other) => one - other)).toEqual([2, 3, 4]);
  });

  it('I17 I18 I22: run to their end, and break no invariant', async () => {
    const { seeds, found, events, moves } = await explore({ firstSeed: 1, seeds: 12, model: 'room' });
    expect({ seeds, found }).toEqual({ seeds: 12, found: [] });
    expect(events).toBeGreaterThan(500);
    expect(moves).toContain('endpoint established -> connected');
  });
});

/** A world in which nothing moves, with these values. Only a `sleep` changes them. */
function stillWorld(values: Record<string, unknown>, afterDeath: Record<string, unknown> = {}): ScenarioWorld {
  let seen: Record<string, unknown> = values;
  return {
    until: () => Promise.resolve(false),
    read: (path: string) => seen[path],
    act: (): Acted => ({}),
    note: () => undefined,
    inject: () => {
      seen = { ...values, ...afterDeath };
      return () => undefined;
    },
  } as unknown as ScenarioWorld;
}

describe('the live invariants of a room', () => {
  const both = {
    'alice.room.entered': true,
    'bob.room.entered': true,
    'alice.room.participants': ['alice', 'bob'],
    'bob.room.participants': ['alice', 'bob'],
    'alice.room.connected': 2,
    'bob.room.connected': 2,
    'alice.room.items': {},
    'bob.room.items': {},
    'server.participants': ['alice', 'bob'],
    'server.connected': 2,
  };
  const gone = {
    'alice.room.entered': false,
    'bob.room.participants': ['bob'],
    'server.participants': ['bob'],
  };
  const broken = async (changed: Record<string, unknown>, afterDeath: Record<string, unknown> = gone) =>
    (await ROOM_MODEL.settle(stillWorld({ ...both, ...changed }, afterDeath), ['alice', 'bob'])).map(
      ({ message }) => message,
    );

  it('I17: hold when all see the same participants, and a dead one is gone', async () => {
    expect(await broken({})).toEqual([]);
  });

  it.each([
    ['a participant that the exchange lacks', { 'server.participants': ['alice'] }, /the exchange has alice/],
    ['a participant that another one does not see', { 'bob.room.participants': ['bob'] }, /bob sees bob/],
    ['a participant without media', { 'server.connected': 1 }, /1 of 2 participants have media/],
    ['media that another one does not see', { 'bob.room.connected': 1 }, /bob sees media of 1 of 2/],
    ['other custom items', { 'bob.room.items': { a: '1' } }, /bob has the items/],
  ])('I17: are broken by %s', async (_, changed, message) => {
    expect((await broken(changed))[0]).toMatch(message);
  });

  it.each([
    ['the exchange still has', { ...gone, 'server.participants': ['alice', 'bob'] }, /still in server\.participants/],
    ['another one still sees', { ...gone, 'bob.room.participants': ['alice', 'bob'] }, /still in bob\.room/],
    ['takes itself for a participant', { ...gone, 'alice.room.entered': true }, /still takes itself/],
  ])('I17: are broken by a dead participant that %s', async (_, afterDeath, message) => {
    expect((await broken({}, afterDeath))[0]).toMatch(message);
  });
});

describe('the invariants of the trace of a room', () => {
  const message = (direction: 'up' | 'down', cmd: string, payload: object, at = 1): TraceEvent => ({
    at,
    kind: 'message',
    device: 'alice',
    direction,
    cmd,
    payload,
  });
  const inside: TraceEvent = {
    at: 1,
    kind: 'state',
    device: 'alice',
    machine: 'room',
    from: 'entering',
    to: 'entered',
  };
  const outside: TraceEvent = { ...inside, from: 'entered', to: 'exiting' };
  const known = message('down', 'room_enter_ack', { room: { current_participants: [{ participant_id: 'p1' }] } });
  const told = (name: string, about = 'p1'): TraceEvent => ({ at: 2, kind: 'told', device: 'alice', name, about });
  const endpoint = (at: number, from: string, to: string, id = 'e1'): TraceEvent => ({
    at,
    kind: 'state',
    device: 'alice',
    machine: 'endpoint',
    id,
    from,
    to,
  });
  const broken = (trace: readonly TraceEvent[], rooms = 0) =>
    violationsOf(
      { trace, devices: ['alice'], promises: [], leftovers: [], read: (path) => (path === 'server.rooms' ? rooms : 0) },
      ROOM_INVARIANTS,
    ).map(({ id }) => id);
  const [entered, exited, started] = ['Entered', 'Exited', 'StreamStarted'].map((word) => `remoteParticipant${word}`);

  it('I17: events of a participant come in order, and only inside the room', () => {
    expect(broken([known, inside, told(entered ?? ''), told(started ?? ''), told(exited ?? '')])).toEqual([]);
    expect(broken([known, inside, told(exited ?? ''), told(started ?? '')])).toEqual(['I17']);
    expect(broken([known, inside, told(entered ?? ''), told(entered ?? '')])).toEqual(['I17']);
    expect(broken([known, inside, told(entered ?? '', 'p2')])).toEqual(['I17']);
    expect(broken([known, inside, outside, told(started ?? '')])).toEqual(['I17']);
  });

  it('I18: an endpoint offers again after 5 to 6 seconds, and an accepted attach is not repeated', () => {
    const again = (ms: number) => [
      endpoint(0, 'disconnected', 'reconnecting'),
      endpoint(ms, 'reconnecting', 'offering'),
    ];
    expect(broken(again(5_500))).toEqual([]);
    expect(broken(again(4_000))).toEqual(['I18']);
    expect(broken(again(8_000))).toEqual(['I18']);
    const asleep: TraceEvent = { at: 0, kind: 'fault', what: 'sleep actor alice', on: true };
    expect(broken([asleep, ...again(8_000)])).toEqual([]);
    const released = [
      endpoint(0, 'disconnected', 'reconnecting', 'e1'),
      endpoint(1_000, 'disconnected', 'reconnecting', 'e2'),
      endpoint(2_000, 'reconnecting', 'releasing', 'e1'),
    ];
    expect(broken([...released, endpoint(6_500, 'reconnecting', 'offering', 'e2')])).toEqual([]);
    expect(broken([...released, endpoint(5_500, 'reconnecting', 'offering', 'e2')])).toEqual(['I18']);
    const attach = message('up', 'endpoint_attach', { endpoint_id: 'e1', attach_to: 'p1' });
    const accepted = message('down', 'endpoint_attach_ack', { room_id: 'r' });
    expect(broken([attach, attach, accepted])).toEqual([]);
    expect(broken([attach, accepted, attach])).toEqual(['I18']);
    const socket = (what: 'open' | 'close', at: number, device = 'alice'): TraceEvent => ({
      ...{ at, kind: 'socket', device, what },
    });
    const { at } = accepted;
    for (const ms of [0, 3]) expect(broken([attach, accepted, socket('close', at + ms), attach])).toEqual([]);
    for (const close of [socket('close', at + 4), socket('close', at, 'bob')])
      expect(broken([attach, accepted, close, attach])).toEqual(['I18']);
    // An answer to a closed channel is lost, and one to the next channel is not.
    expect(broken([attach, socket('close', at), accepted, attach])).toEqual([]);
    const reopened = [socket('close', at - 1), socket('open', at)];
    expect(broken([attach, ...reopened, accepted, attach])).toEqual(['I18']);
    const detach = message('up', 'endpoint_detach', { endpoint_id: 'e1', attach_to: 'p1' });
    expect(broken([attach, accepted, detach, attach])).toEqual([]);
  });

  it('I22: the exchange has no room at the end', () => {
    expect(broken([])).toEqual([]);
    expect(broken([], 1)).toEqual(['I22']);
  });
});
