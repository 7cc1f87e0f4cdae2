import type { Environment } from '../../src/calls/platform/environment.ts';
import { VirtualClock } from './clock.ts';
import { MediaNetwork } from './media-network.ts';
import type { ExchangeDoor } from './exchange-door.ts';
import { VirtualNetwork } from './network.ts';
import { createVirtualPlatform, type VirtualPlatform } from './platform.ts';

/** A world: one clock, one network, one exchange, any number of devices, in one process. */
export interface World<Exchange extends ExchangeDoor> {
  readonly clock: VirtualClock;
  readonly exchange: Exchange;
  readonly network: VirtualNetwork;
  readonly media: MediaNetwork;
  /** The device of this name, made when it is first asked for. */
  platform(name: string, environment?: Partial<Environment>): VirtualPlatform;
  /** Lets everything happen that can without time passing. */
  settle(): Promise<void>;
  /** Moves time on, milliseconds. */
  advance(ms: number): Promise<void>;
  /** What is left over, in words: nothing once every call is over and everybody has signed out. */
  leftovers(): string[];
}

interface WorldOptions<Exchange extends ExchangeDoor> {
  /** The same seed gives the same world, event by event. */
  readonly seed: number;
  /** Makes the exchange, on the world's clock. */
  readonly exchange: (clock: VirtualClock) => Exchange;
}

/** Makes a world that is empty but for its exchange. */
export function createWorld<Exchange extends ExchangeDoor>(options: WorldOptions<Exchange>): World<Exchange> {
  const clock = new VirtualClock();
  const exchange = options.exchange(clock);
  const network = new VirtualNetwork(clock, exchange);
  const media = new MediaNetwork(clock);
  const platforms = new Map<string, VirtualPlatform>();
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
    settle: () => clock.settle(),
    advance: (ms) => clock.advance(ms),
    leftovers: () => [
      ...[...platforms.values()].flatMap(leftoversOf),
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
  return Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${name}: ${count} ${what}`] : []));
}
