/**
 * Measures the exchange alone: a room of 100 participants with 1,000 events in virtual time, without sockets and without
 * the library. A third of the events are exits, a third entries, and a third switches of a microphone. Each participant
 * sends a keep-alive every five seconds, and each client counts its events. The floor is the JSON of the same commands
 * and events, each written once, with a call for each receiver. Exits 1 above a second, or when an event is missing.
 *
 * Usage: room-events.bench.ts [rounds]
 */
import { scaled } from '../../tools/run/machine-factor.ts';
import { createExchangeFixture, type ExchangeFixture } from '../unit/exchange/exchange-fixture.ts';
import { median } from './median.ts';
import { printTable } from './print-table.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const PEOPLE = 100;
const EVENTS = 1_000;
/** The virtual time between two events, and between two keep-alives of a participant. Milliseconds. */
const EVERY_MS = 100;
const ALIVE_MS = 5_000;
const LIMIT_MS = scaled(1_000);
const AMPLE = { burst: 1e9, perSecond: 1e9 };
const ENTER = { is_audio_on: true, is_video_on: false, kick_siblings: false };

/** A client that counts the events of its room, and reads only the replies. */
class Client {
  events = 0;
  participantId = '';
  isAudioOn = true;
  #receive: (text: string) => void = () => undefined;
  #reply = '';
  #requests = 0;

  async signIn({ exchange, http }: ExchangeFixture, userId: string): Promise<void> {
    const { body } = await http('POST', `/v1/users/${userId}/login`, {
      headers: { 'x-client-id': userId },
      body: { app_id: 'ringback-demo', user_id: userId },
    });
    const connection = exchange.connect(
      { sessionToken: body.sbcall_session_token, clientId: userId, version: '1' },
      { send: (text) => this.#heard(text), close: (code) => console.error(`closed with ${code}`) },
    );
    if ('status' in connection) throw new Error(`refused with ${connection.status}`);
    this.#receive = (text) => connection.receive(text);
  }

  /** Sends a command about a room in memory, and returns the text of the reply. */
  command(type: string, payload: object): string {
    const request_id = `${(this.#requests += 1)}`;
    this.#reply = '';
    this.#receive(JSON.stringify({ version: 1, request_id, cmd: 'COMM', type, payload }));
    return this.#reply;
  }

  /** Sends a command whose reply may come later, and resolves with its payload. */
  async later(type: string, payload: object): Promise<any> {
    this.command(type, payload);
    for (let turn = 0; turn < 1_000 && this.#reply === ''; turn += 1) await Promise.resolve();
    return JSON.parse(this.#reply).payload;
  }

  /** Enters a room in memory. Reads only the id, since reading the room is the work of a client. */
  enter(room_id: string): void {
    const [, id = ''] =
      /"me":{"participant_id":"([^"]+)"/.exec(this.command('room_enter', { room_id, ...ENTER })) ?? [];
    this.participantId = id;
  }

  #heard(text: string): void {
    // Only events have the id of a message.
    if (text.includes('"message_id":')) this.events += 1;
    else this.#reply = text;
  }
}

interface World {
  readonly fixture: ExchangeFixture;
  readonly clients: readonly Client[];
  readonly room_id: string;
}

async function open(): Promise<World> {
  const users = Array.from({ length: PEOPLE }, (_, at) => ({
    user_id: `user-${at}`,
    nickname: `User ${at}`,
    profile_url: `https://example.com/pictures/${at}.jpg`,
    metadata: { city: 'Seoul' },
  }));
  const settings = { messages: AMPLE, accountMessages: AMPLE, sent: AMPLE };
  const fixture = createExchangeFixture({ users, settings });
  const clients = users.map(() => new Client());
  for (const [at, client] of clients.entries()) await client.signIn(fixture, `user-${at}`);
  const [first] = clients;
  if (!first) throw new Error('there is no client');
  const { room } = await first.later('room_create', { type: 'large_room_for_audio_only' });
  await fixture.exchange.kept();
  // The first entry reads the room, and the others find it in memory.
  for (const client of clients) {
    const { me } = await client.later('room_enter', { room_id: room.room_id, ...ENTER });
    client.participantId = me.participant_id;
  }
  for (const client of clients) client.events = 0;
  return { fixture, clients, room_id: room.room_id };
}

/** Makes the next event of a client: a switch, an exit, or an entry after the exit. */
function act(client: Client, turn: number, room_id: string): void {
  const { participantId: participant_id } = client;
  if (turn % 3 === 0) {
    client.isAudioOn = !client.isAudioOn;
    client.command('room_audio', { room_id, participant_id, on: client.isAudioOn });
  } else if (turn % 3 === 1) {
    client.command('room_exit', { room_id, participant_id });
    client.participantId = '';
  } else {
    client.enter(room_id);
    client.isAudioOn = true;
  }
}

/** Runs the events. Returns the milliseconds, and the events that the clients got. */
async function run({ fixture, clients, room_id }: World) {
  const [from, before] = [performance.now(), process.cpuUsage()];
  for (let turn = 0; turn < EVENTS; turn += 1) {
    const client = clients[Math.floor(turn / 3) % clients.length];
    if (client) act(client, turn, room_id);
    fixture.clock.advance(EVERY_MS);
    if ((turn * EVERY_MS) % ALIVE_MS === 0) {
      for (const other of clients) {
        if (other.participantId) other.command('room_alive', { room_id, participant_id: other.participantId });
      }
    }
    // The store and the replies of commands that wait get their turn.
    await Promise.resolve();
  }
  const { user, system } = process.cpuUsage(before);
  const ms = performance.now() - from;
  return { ms, cpuMs: (user + system) / 1_000, got: clients.reduce((sum, { events }) => sum + events, 0) };
}

/** Returns the events that the clients must get: a participant gets no event of its entry and of its exit. */
const expected = Array.from({ length: EVENTS }, (_, turn) => (turn % 3 === 0 ? PEOPLE : PEOPLE - 1)).reduce(
  (sum, count) => sum + count,
  0,
);

/** Writes and reads the same commands and events as JSON, and calls each receiver. Returns the milliseconds. */
function floor({ room_id }: World): number {
  const command = JSON.stringify({
    version: 1,
    request_id: '1',
    cmd: 'COMM',
    type: 'room_alive',
    payload: { room_id },
  });
  const event = {
    cmd: 'COMM',
    type: 'participant_entered',
    payload: { room_id, participant: { user: { user_id: 'user-0', nickname: 'User 0' } } },
  };
  const alives = ((EVENTS * EVERY_MS) / ALIVE_MS) * PEOPLE;
  let count = 0;
  const receive = (text: string) => void (count += text.length);
  const from = performance.now();
  for (let turn = 0; turn < EVENTS + alives; turn += 1) receive(JSON.stringify(JSON.parse(command)));
  for (let turn = 0; turn < EVENTS; turn += 1) {
    const text = JSON.stringify(event);
    for (let one = 0; one < PEOPLE; one += 1) receive(text);
  }
  const ms = performance.now() - from;
  if (count === 0) throw new Error('nothing was written');
  return ms;
}

const rows: string[][] = [];
const took: number[] = [];
let missing = 0;
for (let round = 1; round <= ROUNDS; round += 1) {
  const world = await open();
  const least = floor(world);
  const { ms, cpuMs, got } = await run(world);
  took.push(ms);
  missing += Math.abs(expected - got);
  rows.push([
    `round ${round}`,
    ms.toFixed(0),
    cpuMs.toFixed(0),
    ((EVENTS / ms) * 1_000).toFixed(0),
    ((got / ms) * 1_000).toFixed(0),
    least.toFixed(1),
    (ms / least).toFixed(1),
  ]);
}
printTable(
  [
    `${EVENTS} events for ${PEOPLE} participants`,
    'milliseconds',
    'events/s',
    'deliveries/s',
    'floor',
    'times the floor',
  ],
  rows,
);
console.log(`median ${median(took).toFixed(0)} ms; missing or additional deliveries: ${missing}`);
process.exitCode = missing === 0 && median(took) <= LIMIT_MS ? 0 : 1;
