/** The links that send messages through the fault engine: of scripts, of the virtual world, of real worlds. */
import { wiredFetch, wiredSockets } from '../../../cli/worlds/real/wire.ts';
import { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { type MessageFault, messageRule } from '../../../sim/faults/message-rule.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import { ClientLink } from '../../../sim/scripts/client-link.ts';
import type { ScriptFault } from '../../../sim/scripts/format/tree.ts';
import type { Socket, SocketEvents } from '../../../src/calls/platform/socket.ts';
import { PATHS } from '../../../src/protocol/http.ts';
import { VirtualClock } from '../../../sim/virtual/clock.ts';
import { createWorld } from '../../../sim/virtual/world.ts';
import { ScriptedExchange } from '../../unit/virtual/scripted-exchange.ts';

/** A fault of the device `client`, and the messages that it affects. */
export type LinkFault = Selection & { readonly fault: MessageFault };

/** A device `client` and an exchange, with one channel between them. */
export interface FaultLink {
  /** Sends on the channel, from the device (`up`) or to the device (`down`). */
  send(direction: 'up' | 'down', text: string): void;
  /** The arrivals at each end, each with its time without the latency of the link. */
  readonly arrivals: { readonly up: Arrived[]; readonly down: Arrived[] };
  /** Posts the summary of a call. The exchange answers with status 200 and the body `{}`. */
  request(): Promise<{ readonly status: number }>;
  /** The requests that reached the exchange. */
  readonly requests: number;
  advance(ms: number): Promise<void>;
  /** Ends every fault. */
  endFaults(): void;
}

interface Arrived {
  readonly text: string;
  readonly at: number;
}

export interface LinkKind {
  readonly name: string;
  /** The kinds of faults that a user can write for this link. Default: all. */
  readonly kinds?: readonly MessageFault['kind'][];
  /** The names of the request for the summary, and of its answer, in faults. */
  readonly request: { readonly up: string; readonly down: string };
  /** Whether a lost request or answer rejects. On other links it never settles. */
  readonly rejectsLost: boolean;
  open(faults: readonly LinkFault[]): Promise<FaultLink>;
}

const SUMMARY = '/v1/direct_calls/c1/summary';
const OF_WORLDS = { up: `POST ${SUMMARY}`, down: `POST ${SUMMARY}` };
const URLS = { channel: `ws://exchange.test${PATHS.channel}`, summary: `http://exchange.test${SUMMARY}` };
const NOW = { method: 'POST', headers: {}, body: '{}', signal: new AbortController().signal } as const;
const random = () => 0;

/** Returns the arrivals, and a function for each end that records one. */
function recorder(clock: VirtualClock, latencyMs = 0) {
  let start = clock.now();
  const arrivals = { up: [] as Arrived[], down: [] as Arrived[] };
  const arrived = (direction: 'up' | 'down') => (text: string) => {
    arrivals[direction].push({ text, at: clock.now() - start - latencyMs });
  };
  return { arrivals, up: arrived('up'), down: arrived('down'), restart: () => void (start = clock.now()) };
}

const scriptLink: LinkKind = {
  name: 'a client of a script',
  kinds: ['drop', 'delay', 'refuse'],
  request: { up: 'summary', down: 'summary_ack' },
  rejectsLost: false,
  open(faults) {
    const clock = new VirtualClock();
    const { arrivals, up, down } = recorder(clock);
    let requests = 0;
    let send: (text: string) => void = down;
    const exchange = {
      connect: (_who: unknown, link: { send(text: string): void }) => {
        send = (text) => {
          link.send(text);
        };
        return { receive: (text: string) => up(text), closed: () => undefined };
      },
      http: () => {
        requests += 1;
        return Promise.resolve({ status: 200, body: {} });
      },
    };
    const link = new ClientLink(exchange, clock, faults as readonly ScriptFault[]);
    const who = { sessionToken: '', clientId: '', version: '' };
    const connection = link.connect(who, { send: down, close: () => undefined });
    if ('status' in connection) throw new Error('the exchange refused the channel');
    return Promise.resolve({
      arrivals,
      send: (direction, text) => (direction === 'up' ? connection.receive(text) : send(text)),
      request: () => link.http({ method: 'POST', path: SUMMARY, query: {}, headers: {}, address: '', body: {} }),
      get requests() {
        return requests;
      },
      advance: (ms) => clock.advance(ms),
      endFaults: () => undefined,
    });
  },
};

const virtualLink: LinkKind = {
  name: 'a device of the virtual world',
  request: OF_WORLDS,
  rejectsLost: true,
  async open(faults) {
    const exchange = new ScriptedExchange();
    const world = createWorld({ seed: 1, exchange: () => exchange });
    const { arrivals, up, down, restart } = recorder(world.clock, 1);
    exchange.command = (command) => {
      up(JSON.stringify(command));
    };
    exchange.answer = () => ({ status: 200, body: {} });
    const { sockets, fetch } = world.platform('client').net;
    const socket = sockets.open(URLS.channel, { opened: () => undefined, received: down, closed: () => undefined });
    await world.advance(10);
    restart();
    const ends = faults.map(({ fault, ...selection }) =>
      world.network.faults.add(messageRule(fault, selection, { random })),
    );
    return {
      arrivals,
      send: (direction, text) => (direction === 'up' ? socket.send(text) : exchange.latest.send(text)),
      request: () => fetch(URLS.summary, NOW),
      get requests() {
        return exchange.requests.length;
      },
      advance: (ms) => world.advance(ms),
      endFaults: () => ends.forEach((end) => end()),
    };
  },
};

const realLink: LinkKind = {
  name: 'a device with real sockets',
  request: OF_WORLDS,
  rejectsLost: true,
  open(faults) {
    const clock = new VirtualClock();
    const { arrivals, up, down } = recorder(clock);
    const engine = new FaultEngine({ clock });
    const ends = faults.map(({ fault, ...selection }) => engine.add(messageRule(fault, selection, { random })));
    let requests = 0;
    let events: SocketEvents | undefined;
    const inner = {
      open(_url: string, near: SocketEvents): Socket {
        events = near;
        return { send: up, close: () => undefined };
      },
    };
    const socket = wiredSockets('client', inner, engine).open(URLS.channel, {
      opened: () => undefined,
      received: down,
      closed: () => undefined,
    });
    const fetch = wiredFetch(
      'client',
      () => {
        requests += 1;
        return Promise.resolve({ status: 200, redirected: false, text: () => Promise.resolve('{}') });
      },
      engine,
    );
    return Promise.resolve({
      arrivals,
      send: (direction, text) => (direction === 'up' ? socket.send(text) : events?.received(text)),
      request: () => fetch(URLS.summary, NOW),
      get requests() {
        return requests;
      },
      advance: (ms) => clock.advance(ms),
      endFaults: () => ends.forEach((end) => end()),
    });
  },
};

export const LINKS: readonly LinkKind[] = [scriptLink, virtualLink, realLink];
