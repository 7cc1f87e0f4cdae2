/**
 * Any order of entries, exits, silences, kicks, deletions, lost and repeated messages. Each client is a model of the
 * library: it applies events with the next number, and requests the room after a gap.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParticipantPayload, RoomPayload } from '../../../../src/protocol/room-entities.ts';
import type { RoomEventFrame } from '../../../../src/protocol/envelope.ts';
import { MemoryStore } from '../../../../sim/store/memory-store.ts';
import type { Device } from '../exchange-fixture.ts';
import { createRoomWorld, endpoint, MEDIA, Refused, run, type RoomWorld } from './room-fixture.ts';

const CLIENTS = ['alice', 'alice-2', 'bob', 'bob-2', 'carol', 'dave'] as const;
const ORDER = { entered: 0, connected: 1, exited: 2 } as const;

/** A client with its view of the room. */
class Client {
  readonly device: Device;
  readonly roomId: string;
  me: string | null = null;
  sequence = 0;
  isSilent = false;
  isDeleted = false;
  readonly seen = new Map<string, ParticipantPayload>();
  readonly #gone = new Set<string>();
  /** The events that were sent to this client before. */
  #read = 0;
  /** Whether events were lost since the last snapshot. */
  mayMiss = false;
  /** Whether the next events are lost on their way. */
  losesNext = false;
  readonly faults: string[] = [];

  constructor(device: Device, roomId: string) {
    this.device = device;
    this.roomId = roomId;
  }

  /** Applies the events that arrived, each twice. Returns whether one is missing. */
  listen(): boolean {
    const events = this.device.roomEvents.slice(this.#read);
    this.#read = this.device.roomEvents.length;
    let isMissing = false;
    const isLost = this.losesNext && events.length > 0;
    if (isLost) this.losesNext = false;
    this.mayMiss ||= isLost || this.isSilent;
    for (const event of isLost ? [] : events.flatMap((one) => [one, one])) {
      if (this.me === null || event.sequence_number <= this.sequence) continue;
      if (event.sequence_number > this.sequence + 1) {
        isMissing = true;
        if (!this.mayMiss) this.faults.push(`${event.sequence_number} came after ${this.sequence}`);
      }
      if (event.sequence_number === this.sequence + 1) this.#apply(event);
    }
    return isMissing;
  }

  #apply(event: RoomEventFrame): void {
    this.sequence = event.sequence_number;
    if (event.type === 'room_deleted') this.#end(true);
    if (!('participant' in event.payload)) return;
    const { participant } = event.payload;
    const { participant_id: id, state } = participant;
    const before = this.seen.get(id);
    const isEntry = event.type === 'participant_entered';
    if (isEntry === (before !== undefined)) this.faults.push(`${event.type} names ${id}`);
    if (this.#gone.has(id)) this.faults.push(`${id} is back`);
    if (before && ORDER[state] < ORDER[before.state]) this.faults.push(`${id} from ${before.state} to ${state}`);
    if (state === 'exited') {
      this.seen.delete(id);
      this.#gone.add(id);
    } else this.seen.set(id, participant);
    if (id === this.me && state === 'exited') this.#end(false);
  }

  #end(isDeleted: boolean): void {
    this.isDeleted ||= isDeleted;
    this.me = null;
    this.seen.clear();
  }

  snapshot({ current_participants, sequence_number }: RoomPayload): void {
    // The room includes the events before it.
    this.#read = this.device.roomEvents.length;
    this.sequence = sequence_number;
    this.mayMiss = false;
    this.seen.clear();
    for (const one of current_participants) {
      if (this.#gone.has(one.participant_id)) this.faults.push(`${one.participant_id} is back`);
      this.seen.set(one.participant_id, one);
    }
  }

  left(): void {
    this.#end(false);
  }
}

type Act =
  | 'enter'
  | 'kick'
  | 'exit'
  | 'delete'
  | 'mute'
  | 'connect'
  | 'silent'
  | 'return'
  | 'alive'
  | 'lose'
  | 'repeat'
  | 'pass';

async function perform(world: RoomWorld, client: Client, act: Act): Promise<void> {
  const { device, roomId: room_id, me } = client;
  const ids = { room_id, participant_id: me ?? '' };
  if (client.isSilent && act !== 'return') return;
  switch (act) {
    case 'enter':
    case 'kick': {
      if (me !== null) return;
      const entered = await run(device, 'room_enter', { room_id, ...MEDIA, kick_siblings: act === 'kick' });
      client.me = entered.me.participant_id;
      client.snapshot(entered.room);
      return;
    }
    case 'exit':
      if (me !== null) await run(device, 'room_exit', ids).finally(() => client.left());
      return;
    case 'delete':
      if (me !== null) await run(device, 'room_delete', { room_id });
      return;
    case 'mute':
      if (me !== null) await run(device, 'room_audio', { ...ids, on: client.sequence % 2 === 0 });
      return;
    case 'connect':
      if (me !== null) {
        const made = await endpoint({ device, room_id, participant_id: me, me: ids }, 'sendonly', 'sendonly');
        await run(device, 'endpoint_connected', made);
      }
      return;
    case 'silent':
      client.isSilent = true;
      device.disconnect();
      return;
    case 'return':
      if (client.isSilent) await device.connect();
      client.isSilent = false;
      return;
    case 'repeat': {
      if (me === null) return;
      const body = { ...ids, on: true };
      await device.room('room_video', body, `repeat-${me}`);
      await device.room('room_video', body, `repeat-${me}`);
      return;
    }
    case 'pass':
      world.fixture.clock.advance(20_000);
      return;
    case 'lose':
      client.losesNext = true;
      return;
    case 'alive':
      await keepAlive([client]);
      return;
  }
}

/** Sends the keep-alive of each client that is not silent. It requests the room when its number is behind. */
async function keepAlive(clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    if (client.me === null || client.isSilent) continue;
    const ids = { room_id: client.roomId, participant_id: client.me };
    try {
      const { sequence_number } = await run(client.device, 'room_alive', ids);
      if (client.listen() || sequence_number > client.sequence) {
        client.snapshot((await run(client.device, 'room_get', { room_id: client.roomId })).room);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      client.left();
    }
  }
}

const step = fc.tuple(
  fc.nat({ max: CLIENTS.length - 1 }),
  fc.constantFrom<Act>(
    'enter',
    'enter',
    'enter',
    'kick',
    'exit',
    'delete',
    'mute',
    'connect',
    'silent',
    'return',
    'alive',
    'lose',
    'repeat',
    'pass',
  ),
);

describe('rooms', () => {
  it('I17 I18 I22: every participant sees the participants of the server after two keep-alives, in order and without gaps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const world = createRoomWorld({ store: new MemoryStore() });
        const devices = await Promise.all(
          CLIENTS.map((clientId) => world.fixture.device(clientId.split('-')[0] ?? '', clientId)),
        );
        const [first] = devices;
        if (!first) throw new Error('no device');
        const room_id = await world.create(first);
        const sent = new Map<string, number[]>();
        world.fixture.exchange.onFrame(({ direction, device, frame }) => {
          if (direction === 'in' || !('sequence_number' in frame) || frame.sequence_number === 0) return;
          const numbers = sent.get(device.clientId) ?? [];
          sent.set(device.clientId, [...numbers, frame.sequence_number]);
        });
        const clients = devices.map((device) => new Client(device, room_id));
        for (const [at, act] of steps) {
          const client = clients[at];
          if (!client) continue;
          await perform(world, client, act).catch((error: unknown) => {
            if (!(error instanceof Refused)) throw error;
          });
          for (const one of clients) one.listen();
        }
        // After two keep-alives all clients see the same room. No client is silent until it is lost.
        for (const client of clients) await perform(world, client, 'return');
        await keepAlive(clients);
        world.fixture.clock.advance(5_000);
        await keepAlive(clients);
        const { exchange } = world.fixture;
        const view = await run(first, 'room_get', { room_id }).then(
          ({ room }) =>
            room.current_participants.map((one) => [one.participant_id, one.state, one.is_audio_on, one.is_video_on]),
          () => [],
        );
        for (const client of clients) {
          expect(client.faults).toEqual([]);
          if (client.me === null) continue;
          const seen = [...client.seen.values()];
          expect(seen.map((one) => [one.participant_id, one.state, one.is_audio_on, one.is_video_on])).toEqual(view);
          expect(seen.filter((one) => one.is_local_participant).map((one) => one.participant_id)).toEqual([client.me]);
        }
        expect(view.map(([id]) => String(id)).toSorted()).toEqual(clients.flatMap(({ me }) => me ?? []).toSorted());
        for (const numbers of sent.values()) expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        for (const numbers of sent.values()) expect(new Set(numbers).size).toBe(numbers.length);
        // All are gone 45 s after the last of them was heard, and so is everything that was kept for them.
        for (const client of clients) await perform(world, client, 'silent');
        world.fixture.clock.advance(45_000);
        await exchange.kept();
        expect([exchange.liveRooms, world.fixture.clock.pending]).toEqual([[], 0]);
        expect([...world.media.rooms, ...world.media.endpoints]).toEqual([]);
        expect((await world.store.rooms.find(room_id))?.participants).toBe(0);
      }),
      { numRuns: 150, seed: 20260101 },
    );
  });
});
