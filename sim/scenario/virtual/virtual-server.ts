import type { EndRecord } from '../../exchange/calls/call.ts';
import type { ChannelIdentity, Connection, Refusal } from '../../exchange/delivery/connection.ts';
import { Exchange } from '../../exchange/exchange.ts';
import type { HttpRequest, HttpResponse } from '../../http/request.ts';
import type { Link } from '../../exchange/ports.ts';
import { MemoryStore } from '../../store/memory-store.ts';
import { VirtualRoomMediaEngine } from '../../virtual/room-media.ts';
import type { VirtualMediaServer } from '../../virtual/media-server.ts';
import type { ExchangeDoor } from '../../virtual/exchange-door.ts';
import { type ExchangeClock, ProcessClock } from './exchange-clock.ts';

/** One process of the exchange, from its start to its end. */
interface Process {
  readonly exchange: Exchange;
  readonly clock: ProcessClock;
  readonly roomMedia: VirtualRoomMediaEngine;
}

/**
 * The exchange of a virtual world, as a server that can be stopped, killed and started again. The memory of a process
 * is lost with it: the next process has only the content of the store.
 */
export class VirtualServer implements ExchangeDoor {
  readonly #clock: ExchangeClock;
  readonly #users: readonly string[];
  readonly #mediaServer: VirtualMediaServer;
  #store = new MemoryStore();
  #process: Process;
  #isDown = false;
  /** The number of generated values: a new value never equals an earlier one, like random tokens. */
  #made = 0;

  constructor(clock: ExchangeClock, users: readonly string[], mediaServer: VirtualMediaServer) {
    this.#clock = clock;
    this.#mediaServer = mediaServer;
    this.#users = [...new Set(users)];
    this.#process = this.#start();
  }

  /** The running process, or the last one. */
  get exchange(): Exchange {
    return this.#process.exchange;
  }

  /** The ended calls of the history, the oldest first. */
  get history(): readonly EndRecord[] {
    return this.#store.records;
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  connect(who: ChannelIdentity, link: Link): Connection | Refusal {
    return this.exchange.connect(who, link);
  }

  async http(request: HttpRequest): Promise<HttpResponse> {
    const { exchange, clock } = this.#process;
    const answer = await exchange.http(request);
    if (clock.hasEnded) throw new Error('the exchange was killed before it answered');
    return answer;
  }

  /** Stops the process in an orderly way, as SIGTERM does. */
  stop(): void {
    this.#isDown = true;
    this.exchange.close();
  }

  /** Kills the process, as kill -9 does. The media of rooms is in the same process. */
  kill(): void {
    this.#isDown = true;
    this.#process.clock.end();
    this.#process.roomMedia.close();
  }

  /** Kills the process and deletes its store. */
  lose(): void {
    this.kill();
    this.#store = new MemoryStore();
  }

  /** Starts a process on the same store. */
  start(): void {
    if (!this.#isDown) return;
    this.#process.clock.end();
    this.#process = this.#start();
    this.#isDown = false;
  }

  /** Ends the server with its world. */
  close(): void {
    this.exchange.close();
  }

  #start(): Process {
    const clock = new ProcessClock(this.#clock);
    const next = (kind: string) => `${kind}-${String((this.#made += 1)).padStart(20, '0')}`;
    const roomMedia = new VirtualRoomMediaEngine(this.#mediaServer);
    const exchange = new Exchange({
      clock,
      roomMedia,
      ids: { uuid: () => next('id'), token: () => next('token') },
      users: this.#users.map((user_id) => ({ user_id, nickname: user_id, profile_url: '' })),
      settings: { appId: 'ringback-demo' },
      store: this.#store,
      name: 'exchange',
      // Nothing is secret here.
      sha256: (text) => `hash of ${text}`,
      // The signature is not checked: the relay is modeled too.
      hmacSha1: (_key, text) => `password of ${text}`,
    });
    // A store in memory never fails.
    void exchange.open();
    return { exchange, clock, roomMedia };
  }
}
