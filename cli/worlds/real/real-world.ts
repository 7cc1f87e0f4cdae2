/**
 * The real world: real sockets and real media on the wall clock. It has an exchange on a port of its own, and devices
 * that run the library over ws and wrtc. It runs in the scenario host (scenario-host.ts).
 */
import type { Clock } from '../../../src/common/clock.ts';
import { Actor } from '../../../sim/scenario/actor/actor.ts';
import { ScenarioActors } from '../../../sim/scenario/actor/scenario-actors.ts';
import { spanOf } from '../../../sim/format/duration.ts';
import { type Fault, faultText } from '../../../sim/faults/vocabulary.ts';
import { hasRooms, readsMedia } from '../../../sim/scenario/format/needs.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { readServer } from '../../../sim/scenario/run/read-server.ts';
import {
  type Acted,
  NotInThisWorld,
  type ScenarioTimers,
  type ScenarioWorld,
} from '../../../sim/scenario/run/world.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { networkEvent } from '../../../sim/scenario/virtual/network-event.ts';
import { faultRandoms, seededRandom } from '../../../sim/virtual/random.ts';
import { type BreakableDevice, REAL_FAULTS, supportedInstead } from './real-faults.ts';
import { MediaPaths } from './media-paths.ts';
import { openRealDevice, type RealDevice, type RealPlatform } from './real-device.ts';
import { type ExchangePlace, startRealExchange } from './real-exchange.ts';
import type { WorldExchange } from './world-exchange.ts';
import { RealStory } from './real-story.ts';
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { injectFault } from '../../../sim/faults/inject-fault.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import { realFaults } from './wire.ts';

const HOST = '127.0.0.1';
/** The time for pending messages to arrive at the end, milliseconds. */
const SETTLING_MS = 3_000;

interface Options {
  readonly seed: number;
  readonly timers: ScenarioTimers;
  /** How many times faster the timers of the library run. 1 for real time. */
  readonly timeScale: number;
  readonly exchange: ExchangePlace;
  /** Times the story and its waits. */
  readonly clock: Clock;
  /** The clock of the exchange, the libraries and the faults. Default: `clock`, and that of the host for libraries. */
  readonly innerClock?: Clock;
}

/** Creates the world of a scenario and signs its users in. */
export async function realWorld(
  scenario: Pick<Scenario, 'actors' | 'steps'>,
  options: Options,
): Promise<ScenarioWorld> {
  return new RealWorld(await openParts(scenario, options));
}

/** Opens the parts of a real world, and signs its users in. */
export async function openParts(
  { actors: users, steps }: Pick<Scenario, 'actors' | 'steps'>,
  { seed, timers, timeScale, exchange: place, clock, innerClock }: Options,
): Promise<Parts> {
  const story = new RealStory(clock, timeScale);
  const paths = new MediaPaths(seededRandom(seed));
  const faults = realFaults(innerClock ?? clock, timeScale, (message, fate) => {
    story.note(networkEvent({ ...message, at: 0, dropped: fate === 'drop', fate }, 0));
    if (message.direction === 'up') paths.sent(message.device, message.type, message.text);
  });
  const exchange = await startRealExchange(Object.values(users), {
    timeScale,
    clock: innerClock ?? clock,
    place,
    hasRooms: hasRooms({ steps }),
    openPath: (owner) => paths.open(owner),
  });
  const devices = new Map<string, RealDevice>();
  const names = Object.entries(users).flatMap(([name, { devices: own }]) =>
    own ? own.map((device) => `${name}.${device}`) : [name],
  );
  for (const name of names) {
    const options = {
      name,
      names,
      readsMedia: readsMedia({ steps }),
      seed,
      timeScale,
      port: exchange.port,
      wire: faults,
      clock: innerClock,
    };
    devices.set(name, await openRealDevice(options));
  }
  const actors = new ScenarioActors(users, (name, user) => {
    const device = devices.get(name);
    if (!device) throw new Error(`there is no device ${name}`);
    return actorOf({ name, user, device, timers, note: (event) => story.note(event) });
  });
  await Promise.all(actors.online.map((actor) => actor.signIn()));
  // Signing in does not belong to the story.
  story.begin();
  return { story, paths, faults, exchange, devices, actors, randomOf: faultRandoms(seed) };
}

interface Role {
  readonly name: string;
  readonly user: string;
  readonly device: RealDevice;
  readonly timers: ScenarioTimers;
  readonly note: (event: Untimed) => void;
}

function actorOf({ name, user, device, timers, note }: Role): Actor<RealPlatform> {
  const { platform, media, channelGate, httpGate } = device;
  const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
  return new Actor({
    name,
    user,
    platform,
    apiHost: `http://${HOST}:${httpGate.port}`,
    websocketHost: `ws://${HOST}:${channelGate.port}`,
    media: media.received,
    note,
    timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
  });
}

/** The opened parts of a real world. */
export interface Parts {
  readonly story: RealStory;
  readonly paths: MediaPaths;
  readonly faults: FaultEngine;
  readonly exchange: WorldExchange;
  readonly devices: ReadonlyMap<string, RealDevice>;
  readonly actors: ScenarioActors<Actor<RealPlatform>>;
  readonly randomOf: (fault: string) => () => number;
  /** Returns the parts of a device that faults break. Default: those of the device itself. */
  readonly breakable?: (name: string, device: RealDevice) => BreakableDevice;
}

const itself = (_name: string, device: RealDevice): BreakableDevice => device;

export class RealWorld implements ScenarioWorld {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get now(): number {
    return this.#parts.story.now;
  }

  get moment(): number {
    return this.#parts.story.moment;
  }

  get trace(): readonly TraceEvent[] {
    return this.#parts.story.events;
  }

  tolerance(ms: number): number {
    return this.#parts.story.tolerance(ms);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#parts.story.until(condition, ms);
  }

  read(path: string): unknown {
    const { story, exchange, actors } = this.#parts;
    const words = path.split('.');
    return words[0] === 'server' ? readServer(words[1], exchange.seen, story.events) : actors.read(words);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#parts.actors.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    const { exchange, paths, faults, devices, randomOf, breakable = itself } = this.#parts;
    const site = {
      exchange,
      paths,
      messages: faults,
      random: randomOf(name),
      devicesOf: (actor: string) =>
        new Map(
          [...devices]
            .filter(([own]) => actor === '' || own === actor || own.startsWith(`${actor}.`))
            .map(([own, device]) => [own, breakable(own, device)] as const),
        ),
    };
    const mend = injectFault(fault, selection, { site, target: REAL_FAULTS });
    if (!mend)
      throw new NotInThisWorld(
        `the fault ${faultText(fault)} is not supported on real sockets and media: ${supportedInstead(fault)}`,
      );
    return mend;
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.#parts.story.note(event);
  }

  async close(): Promise<readonly string[]> {
    const { story, paths, faults, exchange, devices, actors } = this.#parts;
    story.end();
    faults.clear();
    for (const [name, { channelGate, httpGate, media }] of devices) {
      media.stop();
      channelGate.set('up');
      httpGate.set('up');
      paths.restore(name);
    }
    for (const { client } of actors.all) client.deauthenticate();
    await Promise.all([
      ...[...devices.values()].map((device) => device.settled()),
      story.waiting.until(() => this.#leftovers().length === 0, SETTLING_MS),
    ]);
    const leftovers = this.#leftovers();
    await exchange.close();
    await Promise.all(
      [...devices.values()].flatMap(({ channelGate, httpGate }) => [channelGate.close(), httpGate.close()]),
    );
    return leftovers;
  }

  #leftovers(): string[] {
    const kept = { pcs: 'peer connections', tracks: 'tracks', calls: 'calls' };
    return this.#parts.actors.all.flatMap((actor) => {
      const counts = Object.entries(kept).flatMap(([path, words]) => {
        const count = Number(actor.read([path]));
        return count > 0 ? [`${actor.name}: ${count} ${words}`] : [];
      });
      return [
        ...counts,
        ...(actor.read(['sound']) === 'none' ? [] : [`${actor.name}: a sound`]),
        ...(actor.read(['ws']) === 'closed' ? [] : [`${actor.name}: a channel`]),
        ...(actor.platform.clock.pending === 0 ? [] : [`${actor.name}: ${actor.platform.clock.pending} timers`]),
      ];
    });
  }
}
