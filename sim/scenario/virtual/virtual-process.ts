import type { EndRecord } from '../../exchange/calls/call.ts';
import type { Cluster } from '../../exchange/cluster.ts';
import { Exchange, type ExchangeOptions } from '../../exchange/exchange.ts';
import type { Store } from '../../exchange/store.ts';
import type { VirtualMediaServer } from '../../virtual/media-server.ts';
import { VirtualRoomMediaEngine } from '../../virtual/room-media.ts';
import { type ExchangeClock, ProcessClock } from './exchange-clock.ts';

/** The longest time in which a process stops. Milliseconds. */
const STOP_MS = 5_000;

/** The place of a process among the nodes of a cluster. */
export interface Membership {
  readonly cluster: Cluster;
  /** The store of the exchange, whose live calls are those of the cluster. */
  readonly store: Store;
  /** Returns whether the shared state can be reached. */
  isReachable(): boolean;
  /** Leaves the cluster in an orderly way. Never rejects. */
  leave(): Promise<void>;
  /** Ends without a word, as a crash does. */
  end(): void;
}

export interface ProcessOptions extends Pick<ExchangeOptions, 'ids' | 'sha256' | 'store' | 'users'> {
  readonly clock: ExchangeClock;
  /** The name under which the exchange keeps its live calls. */
  readonly name: string;
  readonly mediaServer: VirtualMediaServer;
  /** Receives the record of each call that ends here. */
  readonly ended?: (record: EndRecord) => void;
  /** Called when the process is killed, whatever it had not stored. */
  readonly killed?: () => void;
  /** Joins the other nodes. Rejects when they cannot be reached. Absent: the exchange is alone. */
  readonly join?: (clock: ProcessClock) => Promise<Membership>;
}

/** One process of an exchange, from its start to its end. Its memory is lost with it. */
export class VirtualProcess {
  readonly #options: ProcessOptions;
  readonly clock: ProcessClock;
  readonly #roomMedia: VirtualRoomMediaEngine;
  #exchange: Exchange | undefined;
  #membership: Membership | undefined;
  #isOpen = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.clock = new ProcessClock(options.clock);
    this.#roomMedia = new VirtualRoomMediaEngine(options.mediaServer);
    if (options.join) return;
    const exchange = this.#make();
    this.#exchange = exchange;
    this.#isOpen = true;
    // A store in memory never fails.
    void exchange.open();
  }

  /** The exchange. Undefined before the process has joined the other nodes. */
  get exchange(): Exchange | undefined {
    return this.#exchange;
  }

  /** Whether the process listens. */
  get isOpen(): boolean {
    return this.#isOpen && !this.clock.hasEnded;
  }

  /** Whether the process is one of several nodes. */
  get isMember(): boolean {
    return this.#options.join !== undefined;
  }

  /** Whether the process reaches what it shares with other nodes. True for an exchange that is alone. */
  get isReachable(): boolean {
    return this.#membership?.isReachable() ?? true;
  }

  /** Joins the other nodes and opens the exchange. Rejects when the nodes cannot be reached. */
  async open(): Promise<void> {
    const { join } = this.#options;
    if (!join) return;
    const membership = await join(this.clock);
    if (this.clock.hasEnded) return membership.end();
    this.#membership = membership;
    const exchange = this.#make(membership);
    exchange.subscribe((event) => {
      if (event.kind === 'ended' && !this.clock.hasEnded) this.#options.ended?.(event.record);
    });
    this.#exchange = exchange;
    await exchange.open();
    this.#isOpen = true;
  }

  /** Stops in an orderly way, as SIGTERM does. Ends after a limit in any case. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#exchange?.close();
    if (!this.#options.join) return;
    if (this.#membership && !this.clock.hasEnded) {
      const { clock } = this;
      const limit = new Promise<void>((resolve) => void clock.after(STOP_MS, resolve));
      await Promise.race([this.#leave(this.#membership), limit]);
    }
    this.#endWithMedia();
  }

  async #leave(membership: Membership): Promise<void> {
    await this.#exchange?.kept();
    await membership.leave();
  }

  /** Ends at once: no timer runs any more. */
  end(): void {
    this.#isOpen = false;
    this.clock.end();
    this.#membership?.end();
  }

  /** Ends at once, as kill -9 does. The media of rooms is in the same process. */
  kill(): void {
    this.#endWithMedia();
    this.#options.killed?.();
  }

  #endWithMedia(): void {
    this.end();
    this.#roomMedia.close();
  }

  #make(membership?: Membership): Exchange {
    const { name, ids, sha256, store, users } = this.#options;
    return new Exchange({
      clock: this.clock,
      roomMedia: this.#roomMedia,
      ids,
      users,
      settings: { appId: 'ringback-demo' },
      store: membership?.store ?? store,
      name,
      ...(sha256 ? { sha256 } : {}),
      // The signature is not checked: the relay is modeled too.
      hmacSha1: (_key, text) => `password of ${text}`,
      ...(membership ? { cluster: membership.cluster } : {}),
    });
  }
}
