/**
 * The browser world: the built library in pages of one Chromium, on the wall clock. Each device has a page in a context
 * of its own. The exchange listens on a port of its own.
 */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Clock } from '../../../src/common/clock.ts';
import { ScenarioActors } from '../../../sim/scenario/actor/scenario-actors.ts';
import { deviceNames } from '../../../sim/scenario/format/read-scenario.ts';
import { hasRooms, readsMedia } from '../../../sim/scenario/format/needs.ts';
import { spanOf } from '../../../sim/format/duration.ts';
import { type Fault, faultText } from '../../../sim/faults/vocabulary.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { readServer } from '../../../sim/scenario/run/read-server.ts';
import {
  type Acted,
  NotInThisWorld,
  type ScenarioTimers,
  type ScenarioWorld,
} from '../../../sim/scenario/run/world.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { faultRandoms, seededRandom } from '../../../sim/virtual/random.ts';
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import { injectFault } from '../../../sim/faults/inject-fault.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import { packageRoot } from '../../package-root.ts';
import { REAL_FAULTS } from '../real/real-faults.ts';
import { MediaPaths } from '../real/media-paths.ts';
import { placeOf, startRealExchange } from '../real/real-exchange.ts';
import type { WorldExchange } from '../real/world-exchange.ts';
import { realFaults } from '../real/wire.ts';
import { BrowserDevice } from './browser-device.ts';
import { BrowserStory } from './browser-story.ts';

/** The time for pending messages to arrive at the end, milliseconds. */
const SETTLING_MS = 5_000;
/** The resources that an actor must have released at the end. */
const LET_GO = { pcs: 0, tracks: 0, calls: 0, sound: 'none', ws: 'closed' };

interface Options {
  readonly browser: Browser;
  readonly seed: number;
  readonly timers: ScenarioTimers;
  /** Closes the world at once. */
  readonly signal: AbortSignal;
  /** The clock of this process: `now` is that of `performance.now()`. */
  readonly clock: Clock;
}

/** The opened parts of a browser world, without its users. */
interface Parts {
  readonly story: BrowserStory;
  readonly paths: MediaPaths;
  readonly faults: FaultEngine;
  readonly exchange: WorldExchange;
  /** The open devices. */
  readonly devices: BrowserDevice[];
  readonly signal: AbortSignal;
}

/** Creates the world of a scenario and signs its users in. */
export async function browserWorld(
  scenario: Pick<Scenario, 'actors' | 'steps'>,
  options: Options,
): Promise<ScenarioWorld> {
  const { actors: users } = scenario;
  const { seed, signal, clock } = options;
  const story = new BrowserStory(clock, signal);
  const paths = new MediaPaths(seededRandom(seed));
  const faults = realFaults(clock, 1, (message, fate) => {
    story.carried(message, fate);
    const { device, direction, type, text } = message;
    if (direction === 'up') paths.sent(device, type, text);
  });
  const exchange = await startRealExchange(Object.values(users), {
    timeScale: 1,
    clock,
    place: placeOf(scenario),
    hasRooms: hasRooms(scenario),
    openPath: (owner) => paths.open(owner),
  });
  const parts: Parts = { story, paths, faults, exchange, devices: [], signal };
  try {
    await Promise.all(deviceNames(users).map((name) => openDevice(name, scenario, parts, options)));
    const actors = new ScenarioActors(users, (name) => deviceOf(parts, name));
    await signIn(actors.online, story);
    // Signing in does not belong to the story.
    story.begin();
    return new BrowserWorld(parts, actors, faultRandoms(seed));
  } catch (error) {
    await closeParts(parts).catch(() => undefined);
    throw error;
  }
}

/** Opens a device, and adds it to the parts. */
async function openDevice(
  name: string,
  scenario: Pick<Scenario, 'actors' | 'steps'>,
  { story, faults, exchange, devices }: Parts,
  { browser, timers }: Options,
): Promise<void> {
  const { actors: users } = scenario;
  const names = deviceNames(users);
  const [person = name] = name.split('.');
  const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
  const device = await BrowserDevice.open({
    browser,
    device: name,
    exchange: exchange.port,
    dist: join(packageRoot(), 'dist'),
    wire: faults,
    role: {
      name,
      user: users[person]?.user ?? person,
      nth: names.indexOf(name),
      measures: readsMedia(scenario) ? names : undefined,
      timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
    },
    received: (news) => story.received(name, news),
  });
  devices.push(device);
}

function deviceOf({ devices }: Parts, name: string): BrowserDevice {
  const device = devices.find((one) => one.name === name);
  if (!device) throw new Error(`there is no device ${name}`);
  return device;
}

async function signIn(devices: readonly BrowserDevice[], story: BrowserStory): Promise<void> {
  await Promise.all(devices.map((device) => device.signIn()));
  // A page may report late that it is signed in.
  await story.until(() => devices.every((device) => device.read(['ws']) === 'open'), SETTLING_MS);
}

class BrowserWorld implements ScenarioWorld {
  readonly #parts: Parts;
  readonly #actors: ScenarioActors<BrowserDevice>;
  readonly #randomOf: (fault: string) => () => number;

  constructor(parts: Parts, actors: ScenarioActors<BrowserDevice>, randomOf: (fault: string) => () => number) {
    this.#parts = parts;
    this.#actors = actors;
    this.#randomOf = randomOf;
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
    const { exchange, story } = this.#parts;
    const words = path.split('.');
    return words[0] === 'server' ? readServer(words[1], exchange.seen, story.events) : this.#actors.read(words);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#actors.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    const { exchange, paths, faults } = this.#parts;
    const site = {
      exchange,
      paths,
      messages: faults,
      random: this.#randomOf(name),
      devicesOf: (actor: string) =>
        new Map(
          (actor === '' ? this.#actors.all : this.#actors.devicesOf(actor)).map((device) => [device.name, device]),
        ),
    };
    const mend = injectFault(fault, selection, { site, target: REAL_FAULTS });
    if (!mend) throw new NotInThisWorld(`the fault ${faultText(fault)} cannot be done in a browser`);
    return mend;
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.#parts.story.note(event);
  }

  close(): Promise<readonly string[]> {
    return closeParts(this.#parts);
  }
}

/** Closes everything that is open. Returns the resources that devices had not released. */
async function closeParts({ story, paths, faults, exchange, devices, signal }: Parts): Promise<readonly string[]> {
  story.end();
  faults.clear();
  for (const { name, channelGate, httpGate } of devices) {
    channelGate.set('up');
    httpGate.set('up');
    paths.restore(name);
  }
  if (!signal.aborted) {
    await Promise.all(devices.map((device) => device.signOut()));
    await story.waiting.until(() => leftoversOf(devices).length === 0, SETTLING_MS);
  }
  const leftovers = leftoversOf(devices);
  story.order();
  await Promise.all(devices.map((device) => device.close()));
  await exchange.close();
  return leftovers;
}

const leftoversOf = (devices: readonly BrowserDevice[]): string[] =>
  devices.flatMap((device) =>
    Object.entries(LET_GO).flatMap(([what, none]) => {
      const left = device.read([what]);
      return left === none ? [] : [`${device.name}: ${what} ${String(left)}`];
    }),
  );
