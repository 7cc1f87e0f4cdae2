/** Nodes of one cluster in one process, on a clock that the test moves. */
import { MemoryStateServer, type MemoryStateOptions } from '../../../sim/cluster/memory-state.ts';
import { openLink, type OpenLink } from '../../../sim/cluster/open-link.ts';
import { joinExchange, type JoinedCluster } from '../../../sim/cluster/join-exchange.ts';
import { Log } from '../../../sim/exchange/logging/log.ts';
import type { LogEntry } from '../../../sim/exchange/ports.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../../sim/exchange/settings.ts';
import { ExchangeClock, ProcessClock } from '../../../sim/scenario/virtual/exchange-clock.ts';
import { MemoryStore } from '../../../sim/store/memory-store.ts';
import { createExchangeFixture, Device, type ExchangeFixture } from '../exchange/exchange-fixture.ts';
import { HandClock } from '../support/hand-clock.ts';

/** Runs everything that can happen without time passing. */
export async function turn(): Promise<void> {
  for (let at = 0; at < 5; at += 1) await new Promise((resolve) => setImmediate(resolve));
}

export interface TestNode extends ExchangeFixture {
  readonly name: string;
  readonly link: OpenLink;
  readonly cluster: JoinedCluster;
  /** Ends the process of the node, as kill -9 does. */
  kill(): void;
}

export class Nodes {
  readonly clock = new HandClock(Date.UTC(2026, 0, 1));
  readonly server: MemoryStateServer;
  readonly store = new MemoryStore();
  readonly log: LogEntry[] = [];
  readonly #settings: Partial<ExchangeSettings>;
  #made = 0;

  constructor(options: Omit<MemoryStateOptions, 'clock'> & { readonly settings?: Partial<ExchangeSettings> } = {}) {
    const { settings = {}, ...state } = options;
    this.#settings = settings;
    this.server = new MemoryStateServer({ ...state, clock: this.clock });
  }

  /**
   * Starts a node of this name.
   *
   * @param skewMs - how far its wall clock is ahead. Milliseconds.
   */
  async start(name: string, skewMs = 0): Promise<TestNode> {
    const machine = new ExchangeClock(this.clock);
    machine.skew(skewMs);
    const process = new ProcessClock(machine);
    const log = new Log((entry) => void this.log.push(entry), process);
    const opening = openLink({ node: name, state: this.server.connect(name), clock: process, log });
    await this.pass(10);
    const link = await opening;
    const sha256 = (text: string) => `hash of ${text}`;
    const settings = { ...DEFAULT_SETTINGS, ...this.#settings };
    const cluster = joinExchange({ link, clock: process, log, store: this.store, sha256, settings });
    const made = () => `${name}-${(this.#made += 1)}`;
    const fixture = createExchangeFixture(
      {
        clock: this.clock,
        cluster,
        store: cluster.store,
        name,
        sha256,
        settings: this.#settings,
        ids: { uuid: made, token: made },
        log: (entry) => void this.log.push(entry),
      },
      process,
    );
    await fixture.exchange.open();
    await turn();
    return {
      ...fixture,
      name,
      link,
      cluster,
      kill: () => {
        process.end();
        this.server.setReachable(name, false);
      },
    };
  }

  /** Moves time forward in small steps, and runs everything that happens. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      await turn();
      this.clock.advance(Math.min(100, left));
    }
    await turn();
  }
}

/** Connects a device with the session that it got at another node. */
export async function reconnect(device: Device, node: TestNode): Promise<Device> {
  await node.exchange.prepare({ session: device.token });
  const moved = new Device(node, device.userId, device.clientId, device.token);
  await moved.connect();
  await turn();
  return moved;
}

let requests = 0;

/** Returns a request id that no device has used. */
export const requestId = (): string => `request-${(requests += 1)}`;

/** Sends a command, and returns its reply. Undefined without one. */
export async function say(device: Device, ...[type, payload, id = requestId()]: Parameters<Device['frame']>) {
  const frame = device.frame(type, payload, id);
  device.receive(JSON.stringify(frame));
  await turn();
  return device.replies.find(({ request_id }) => request_id === frame.request_id);
}

export const codeOf = (reply: Awaited<ReturnType<typeof say>>): number | undefined => reply && (reply.error?.code ?? 0);
