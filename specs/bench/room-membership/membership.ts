/**
 * Clients that leave their rooms and enter them again over real sockets. Each change takes until the last other
 * participant has its event.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { answerOf, json, upgrade } from '../../contract/exchange/terminals.ts';

/** The interval of changes: ten entries and ten exits a second. Milliseconds. */
const EVERY_MS = 50;
const ALIVE_MS = 5_000;
const USERS = ['alice', 'bob', 'carol', 'dave'];
const ENTER = { is_audio_on: false, is_video_on: false, kick_siblings: false };

interface Reply {
  readonly payload: any;
  readonly error?: { readonly code: number };
}

/** A client with its list of the participants of one room. It applies events with the next number. */
class Client {
  readonly #socket: WebSocket;
  readonly #replies = new Map<string, (reply: Reply) => void>();
  readonly #seen: (sequence: number) => void;
  #requests = 0;
  #sequence = 0;
  #isLeaving = false;
  readonly members = new Set<string>();
  roomId = '';
  participantId = '';
  gaps = 0;

  private constructor(socket: WebSocket, seen: (client: Client, sequence: number) => void) {
    this.#socket = socket;
    this.#seen = (sequence) => seen(this, sequence);
    socket.on('message', (data) => this.#heard(JSON.parse(String(data))));
  }

  static async signIn(
    url: string,
    prefix: string,
    at: number,
    seen: (client: Client, sequence: number) => void,
  ): Promise<Client> {
    const [userId, clientId] = [USERS[at % USERS.length] ?? '', `${prefix}-${at}`];
    const login = json({ app_id: 'ringback-demo', user_id: userId }, { 'x-client-id': clientId });
    const { body } = await answerOf(await fetch(`${url}/v1/users/${userId}/login`, login));
    const query = new URLSearchParams({ session_token: body.sbcall_session_token, client_id: clientId, version: '1' });
    const { socket, status } = await upgrade(`${url.replace('http', 'ws')}/v1/realtime?${query}`);
    if (status !== 101) throw new Error(`the channel was refused with ${status}`);
    return new Client(socket, seen);
  }

  send(cmd: string, type: string, payload: object): Promise<Reply> {
    const request_id = `${(this.#requests += 1)}`;
    this.#socket.send(JSON.stringify({ version: 1, request_id, cmd, type, payload }));
    return new Promise((resolve) => this.#replies.set(request_id, resolve));
  }

  /** Sends a command about the room. Rejects when it is refused. */
  async command(type: string, payload: object = {}): Promise<any> {
    const ids = { room_id: this.roomId, ...(this.participantId ? { participant_id: this.participantId } : {}) };
    const { payload: answer, error } = await this.send('COMM', type, { ...ids, ...payload });
    if (error) throw new Error(`${type} was refused with ${error.code}`);
    return answer;
  }

  async enter(roomId: string): Promise<number> {
    this.roomId = roomId;
    const { me, room } = await this.command('room_enter', ENTER);
    this.participantId = me.participant_id;
    this.members.clear();
    for (const { participant_id } of room.current_participants) this.members.add(participant_id);
    this.#sequence = room.sequence_number;
    return room.sequence_number;
  }

  async exit(): Promise<void> {
    this.#isLeaving = true;
    await this.command('room_exit');
    this.participantId = '';
    this.#isLeaving = false;
  }

  /** Whether the client is in its room, and has not asked to leave it: only then it sends signs of life. */
  get isInside(): boolean {
    return this.participantId !== '' && !this.#isLeaving;
  }

  close(): void {
    this.#socket.close();
  }

  #heard(frame: { type: string; request_id?: string; sequence_number?: number } & Reply): void {
    if (frame.request_id !== undefined) {
      this.#replies.get(frame.request_id)?.(frame);
      this.#replies.delete(frame.request_id);
      return;
    }
    const { type, sequence_number: sequence = 0, payload } = frame;
    if (!type.startsWith('participant_') || payload.room_id !== this.roomId || this.participantId === '') return;
    if (sequence !== this.#sequence + 1) this.gaps += 1;
    this.#sequence = sequence;
    const { participant_id } = payload.participant;
    if (type === 'participant_entered') this.members.add(participant_id);
    if (type === 'participant_exited') this.members.delete(participant_id);
    this.#seen(sequence);
  }
}

/** A room with its clients, and the changes that not every other client has seen yet. */
class BenchRoom {
  readonly clients: Client[] = [];
  /** The number of its last event. */
  sequence = 0;
  /** Resolves after the last change. */
  last: Promise<void> = Promise.resolve();
  readonly #pending = new Map<number, { waiting: number; done: () => void }>();
  /** The observations of changes that the bench does not wait for yet, by number. */
  readonly #early = new Map<number, number>();
  #next = 0;

  get turn(): Client {
    const client = this.clients[(this.#next += 1) % this.clients.length];
    if (!client) throw new Error('the room has no client');
    return client;
  }

  seen(sequence: number): void {
    const pending = this.#pending.get(sequence);
    if (!pending) return void this.#early.set(sequence, (this.#early.get(sequence) ?? 0) + 1);
    pending.waiting -= 1;
    if (pending.waiting > 0) return;
    this.#pending.delete(sequence);
    pending.done();
  }

  /** Resolves when the others have seen a change. */
  converged(sequence: number, others: number): Promise<void> {
    return new Promise((done) => {
      const waiting = others - (this.#early.get(sequence) ?? 0);
      this.#early.delete(sequence);
      if (waiting <= 0) done();
      else this.#pending.set(sequence, { waiting, done });
    });
  }
}

/** Resolves with the milliseconds that the work takes. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** Times in milliseconds. */
export interface MembershipMeasured {
  readonly floor: number[];
  readonly enters: number[];
  readonly exits: number[];
  /** The clients that missed an event, or have another list than the exchange. */
  readonly faults: number;
  /** The keep-alives that the exchange refused. */
  readonly refused: number;
}

/** Lets one client leave its room and enter it again, and measures both until all others know. */
async function change(room: BenchRoom, into: MembershipMeasured): Promise<void> {
  const client = room.turn;
  const { roomId } = client;
  const others = room.clients.length - 1;
  into.floor.push(await timeOf(() => client.send('UTIL', 'heartbeat', {})));
  const left = (room.sequence += 1);
  into.exits.push(await timeOf(() => Promise.all([client.exit(), room.converged(left, others)])));
  const entered = (room.sequence += 1);
  into.enters.push(await timeOf(() => Promise.all([client.enter(roomId), room.converged(entered, others)])));
}

/** Counts the clients that have missed an event, or have another list than the exchange. */
async function faultsIn(room: BenchRoom): Promise<number> {
  let faults = 0;
  for (const client of room.clients) {
    const { room: now } = await client.command('room_get');
    const ids = now.current_participants.map((one: { participant_id: string }) => one.participant_id);
    const isSame = ids.length === client.members.size && ids.every((id: string) => client.members.has(id));
    if (!isSame || client.gaps > 0) faults += 1;
  }
  return faults;
}

/** The rooms of a measurement. */
export interface MembershipPlan {
  readonly url: string;
  readonly type: string;
  readonly rooms: number;
  readonly size: number;
  /** The beginning of the client ids. Two measurements on one server need different ones. Default: client. */
  readonly prefix?: string;
  /** The length of the changes. Milliseconds. */
  readonly ms: number;
  /** Ends the changes early. Default: never. */
  readonly stop?: AbortSignal;
  /** Called after each entry, with the number of entries so far. */
  readonly changed?: (entries: number) => void;
}

/** Runs the changes for so many rooms of a size, and compares every list with that of the exchange. */
export async function measureMembership({
  url,
  type,
  rooms,
  size,
  prefix = 'client',
  ms,
  stop,
  changed,
}: MembershipPlan): Promise<MembershipMeasured> {
  const all: BenchRoom[] = [];
  for (let at = 0; at < rooms; at += 1) {
    const room = new BenchRoom();
    const seen = (_: Client, sequence: number) => room.seen(sequence);
    for (let one = 0; one < size; one += 1) room.clients.push(await Client.signIn(url, prefix, at * size + one, seen));
    const [first] = room.clients;
    if (!first) throw new Error('there is no client');
    const { room: created } = await first.command('room_create', { type });
    for (const client of room.clients) await client.enter(created.room_id);
    room.sequence = size;
    all.push(room);
  }
  const clients = all.flatMap((room) => room.clients);
  let refused = 0;
  const alive = setInterval(() => {
    for (const client of clients) if (client.isInside) void client.command('room_alive').catch(() => (refused += 1));
  }, ALIVE_MS);
  const measured: MembershipMeasured = { floor: [], enters: [], exits: [], faults: 0, refused: 0 };
  const end = performance.now() + ms;
  for (let turn = 0; performance.now() < end && stop?.aborted !== true; turn += 1) {
    const room = all[turn % all.length];
    // The changes of a room follow each other: their numbers are known before.
    if (room) room.last = room.last.then(() => change(room, measured)).then(() => changed?.(measured.enters.length));
    await delay(2 * EVERY_MS);
  }
  await Promise.all(all.map(({ last }) => last));
  clearInterval(alive);
  let faults = 0;
  for (const room of all) faults += await faultsIn(room);
  for (const client of clients) client.close();
  return { ...measured, faults, refused };
}
