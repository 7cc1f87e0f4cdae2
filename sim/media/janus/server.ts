/** A Janus server of the setting: it is connected again after each loss, and its load is known. */
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { RoomType } from '../../../src/protocol/room-entities.ts';
import type { Log } from '../../exchange/logging/log.ts';
import { JanusConnection, JanusError, type JanusHandle, type JanusTimes, read } from './connection.ts';
import { roomList } from './messages.ts';
import { type Plugin, PLUGINS, RoomPlace } from './room-place.ts';

/** The times of a server, milliseconds. */
const SERVER_TIMES = {
  /** The wait after the first failure. It doubles with each further one. */
  firstRetryMs: 500,
  longestRetryMs: 10_000,
  /** The time between two reports of the load. */
  loadMs: 10_000,
} as const;

export interface ServerOptions {
  /** The name in logs. An address is never in a log. */
  readonly name: string;
  readonly url: string;
  readonly secret: string | null;
  /** The name that the rooms of this exchange have at Janus. */
  readonly owner: string;
  readonly clock: Clock;
  readonly times: JanusTimes;
  readonly log: Log;
}

interface Live {
  readonly connection: JanusConnection;
  readonly control: Readonly<Record<Plugin, JanusHandle>>;
}

const KEYS = ['videoroom', 'audiobridge'] as const satisfies readonly Plugin[];

export class JanusServer {
  readonly #options: ServerOptions;
  readonly #places = new Set<RoomPlace>();
  #live: Live | null = null;
  /** Settles with the end of the first attempt to connect. Never rejects. */
  #tried: Promise<void> = Promise.resolve();
  #retry: Timer | null = null;
  #poll: Timer | null = null;
  #failures = 0;
  /** The last reason for a loss. It is logged once. */
  #reason: string | null = null;
  /** The participants that Janus reports in rooms of others. */
  #reported = 0;
  #isClosed = false;
  /** The endpoints of this exchange on the server. */
  endpoints = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Begins to connect. Resolves when the first attempt has ended. Never rejects. */
  start(): Promise<void> {
    this.#tried = this.#connect();
    this.#poll = this.#options.clock.every(SERVER_TIMES.loadMs, () => void this.#report());
    return this.#tried;
  }

  /** Whether rooms can be opened. */
  get isUp(): boolean {
    return this.#live !== null;
  }

  /** The endpoints of this exchange and the participants of others that Janus reports. */
  get load(): number {
    return this.endpoints + this.#reported;
  }

  /** Resolves when the first attempt to connect has ended. */
  async tried(): Promise<void> {
    await this.#tried;
  }

  /** Makes a room. @throws JanusError when the server is down or refuses. */
  async open(type: RoomType): Promise<RoomPlace> {
    if (!this.#live) throw new JanusError('the server is down');
    const { log, name, owner } = this.#options;
    const place = await RoomPlace.open({
      ...this.#live,
      type,
      description: owner,
      failed: (what, error) => log.warn(`${name} did not carry out a request for ${what}`, { error }),
    });
    this.#places.add(place);
    return place;
  }

  /** Removes a room. */
  forget(place: RoomPlace): void {
    if (this.#places.delete(place)) place.close();
  }

  /** Closes the connection. Janus ends every endpoint. */
  close(): void {
    this.#isClosed = true;
    this.#retry?.cancel();
    this.#poll?.cancel();
    for (const place of this.#places) place.close();
    this.#places.clear();
    this.#live?.connection.close();
    this.#live = null;
  }

  async #connect(): Promise<void> {
    const { url, secret, clock, times, log, name } = this.#options;
    let connection: JanusConnection | null = null;
    try {
      const ended = (reason: string) => this.#lost(reason);
      connection = await JanusConnection.open({ url, secret, clock, times, ended }, Object.values(PLUGINS));
      const [videoroom, audiobridge] = [
        await connection.attach(PLUGINS.videoroom, {}),
        await connection.attach(PLUGINS.audiobridge, {}),
      ];
      if (this.#isClosed) return connection.close();
      this.#live = { connection, control: { videoroom, audiobridge } };
      await this.#report({ removesLeft: true });
      if (this.#reason !== null) log.info(`${name} answers again`);
      this.#reason = null;
      this.#failures = 0;
    } catch (error) {
      connection?.close();
      this.#lost(error instanceof Error ? error.message : String(error));
    }
    return undefined;
  }

  /** Logs a loss or a failed attempt, and tries again later. */
  #lost(reason: string): void {
    if (this.#isClosed) return;
    const { log, name, clock } = this.#options;
    this.#live = null;
    this.#places.clear();
    if (this.#reason !== reason) log.error(`${name} cannot be used: ${reason}`);
    this.#reason = reason;
    this.#retry?.cancel();
    const wait = Math.min(SERVER_TIMES.longestRetryMs, SERVER_TIMES.firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = clock.after(wait, () => {
      this.#tried = this.#connect();
    });
  }

  /** Counts the participants of others. @param options.removesLeft - whether rooms of an earlier connection go. */
  async #report({ removesLeft = false } = {}): Promise<void> {
    const live = this.#live;
    if (!live) return;
    let reported = 0;
    try {
      for (const plugin of KEYS) {
        const rooms = read(roomList, await live.control[plugin].request({ request: 'list' })).list;
        for (const { room, description, num_participants } of rooms) {
          if ([...this.#places].some((place) => place.has(plugin, room))) continue;
          if (removesLeft && description === this.#options.owner) {
            await live.control[plugin].request({ request: 'destroy', room });
          } else if (description !== this.#options.owner) {
            reported += num_participants;
          }
        }
      }
      this.#reported = reported;
    } catch (error) {
      // The first report is a part of the connecting. A later one that fails changes nothing.
      if (removesLeft) throw error;
    }
  }
}
