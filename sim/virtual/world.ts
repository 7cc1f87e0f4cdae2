import type { Environment } from '../../src/calls/platform/environment.ts';
import { VirtualClock } from './clock.ts';
import { MediaNetwork } from './media-network.ts';
import { VirtualMediaServer } from './media-server.ts';
import type { ExchangeDoor } from './exchange-door.ts';
import { VirtualNetwork } from './network.ts';
import { createVirtualPlatform, type VirtualPlatform } from './platform.ts';

/** A world: one clock, one network, one exchange, any number of devices and media servers, in one process. */
export interface VirtualNetworkWorld<Exchange extends ExchangeDoor> {
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
  readonly network: VirtualNetwork;
  readonly media: MediaNetwork;
  /** Returns the device of this name. Creates it at the first use. */
  platform(name: string, environment?: Partial<Environment>): VirtualPlatform;
  /** Returns the media server of this name. Creates it at the first use. */
  mediaServer(name: string): VirtualMediaServer;
  /** Runs everything that can happen without time passing. */
  settle(): Promise<void>;
  /** Moves time forward by `ms` milliseconds. */
  advance(ms: number): Promise<void>;
  /** Returns what is left over, in words. Empty once every call is over and every user has signed out. */
  leftovers(): string[];
}

interface VirtualNetworkOptions<Exchange extends ExchangeDoor> {
  /** The seed. The same seed gives the same world, event by event. */
  readonly seed: number;
  /** Creates the exchange on the world's clock. It may use media servers of the world. */
  readonly exchange: (clock: VirtualClock, mediaServer: (name: string) => VirtualMediaServer) => Exchange;
}

/** Creates a world that is empty except for its exchange. */
export function createWorld<Exchange extends ExchangeDoor>(
  options: VirtualNetworkOptions<Exchange>,
): VirtualNetworkWorld<Exchange> {
  const clock = new VirtualClock();
  const media = new MediaNetwork(clock);
  const platforms = new Map<string, VirtualPlatform>();
  const mediaServers = new Map<string, VirtualMediaServer>();
  const mediaServer = (name: string) => {
    const existing = mediaServers.get(name);
    if (existing) return existing;
    const made = new VirtualMediaServer(name, { clock, media, seed: options.seed });
    mediaServers.set(name, made);
    return made;
  };
  const exchange = options.exchange(clock, mediaServer);
  const network = new VirtualNetwork(clock, exchange);
  return {
    clock,
    exchange,
    network,
    media,
    platform(name, environment) {
      const existing = platforms.get(name);
      if (existing) return existing;
      const made = createVirtualPlatform(name, { clock, network, media, seed: options.seed }, environment);
      platforms.set(name, made);
      return made;
    },
    mediaServer,
    settle: () => clock.settle(),
    advance: (ms) => clock.advance(ms),
    leftovers: () => [
      ...[...platforms.values()].flatMap(leftoversOf),
      ...[...mediaServers.values()].flatMap(({ name, open }) => inWords(name, { 'peer connections': open.length })),
      ...clock.pending.map(({ dueIn }) => `a timer due in ${dueIn} ms`),
    ],
  };
}

function leftoversOf({ name, net, rtc, devices, recorder, page, sounds }: VirtualPlatform): string[] {
  const counts = {
    sockets: net.openSockets,
    'peer connections': rtc.open.length,
    tracks: devices.liveTracks.length,
    recordings: recorder.running.length,
    'device listeners': devices.listeners,
    'page listeners': page.listeners,
    sounds: sounds.playing.length,
  };
  return inWords(name, counts);
}

const inWords = (name: string, counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${name}: ${count} ${what}`] : []));
