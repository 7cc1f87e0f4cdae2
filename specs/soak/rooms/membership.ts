/** L6: clients enter and leave rooms. Every client and the exchange have the same list of participants. */
import { measureMembership } from '../../bench/room-membership/membership.ts';
import { UNLIMITED } from '../../../cli/load/unlimited.ts';
import { startSoakServer } from '../server/soak-server.ts';
import type { Soak, SoakRun } from '../soak-run.ts';

interface RoomLoad {
  readonly type: string;
  readonly rooms: number;
  readonly size: number;
}

const LOADS: Readonly<Record<'short' | 'long', readonly RoomLoad[]>> = {
  short: [
    { type: 'small_room_for_audio_only', rooms: 6, size: 4 },
    { type: 'large_room_for_audio_only', rooms: 1, size: 16 },
  ],
  long: [
    { type: 'small_room_for_audio_only', rooms: 50, size: 6 },
    { type: 'large_room_for_audio_only', rooms: 1, size: 100 },
  ],
};
const P99_MS = 1_000;
/** Four users have all the clients. */
const MANY_DEVICES = { devicesPerUser: 1_000, sessionsPerUser: 1_000, roomsPerUser: 1_000 };
const MEMBERS = ['alice', 'bob', 'carol', 'dave'];

export const L6: SoakRun = {
  id: 'L6',
  about: '50 rooms of 6 and one of 100: ten entries and ten exits a second, and the lists of all clients',
  minutes: 10,
  shortMs: 3_000,
  takesServers: false,
  async run(soak) {
    const server = await startSoakServer({ users: MEMBERS, settings: { ...UNLIMITED, ...MANY_DEVICES } });
    try {
      const loads = LOADS[soak.isShort ? 'short' : 'long'];
      // Both kinds of rooms at the same time, on one server.
      await Promise.all(loads.map((load) => runRooms(soak, server.url, load)));
      const { faults, participants } = await server.report();
      soak.condition('the server reports no error', faults.length === 0, faults.join('; ') || 'none');
      soak.figure('participants at the end', String(participants));
    } finally {
      await server.kill();
    }
  },
};

async function runRooms(soak: Soak, url: string, { type, rooms, size }: RoomLoad): Promise<void> {
  const name = rooms === 1 ? `one room of ${size}` : `${rooms} rooms of ${size}`;
  const { enters, exits, faults, refused } = await measureMembership({
    url,
    type,
    rooms,
    size,
    prefix: type,
    ms: soak.loadMs,
    stop: soak.stop,
    changed: (entries) => soak.say(`${name}: ${entries} entries and as many exits`),
  });
  const changes = [...enters, ...exits].toSorted((a, b) => a - b);
  const p99 = changes[Math.floor((changes.length - 1) * 0.99)] ?? Infinity;
  soak.figure(`${name}: changes`, `${changes.length}, p99 until all clients agree ${p99.toFixed(1)} ms`);
  soak.condition(`${name}: clients enter and exit`, changes.length > 0, `${changes.length} changes`);
  soak.condition(
    `${name}: every client has the list of the exchange, and missed no event`,
    faults === 0,
    `${faults} clients`,
  );
  soak.condition(`${name}: no keep-alive is refused`, refused === 0, `${refused} refused`);
  if (!soak.isShort) soak.condition(`${name}: p99 is at most ${P99_MS} ms`, p99 <= P99_MS, `${p99.toFixed(1)} ms`);
}
