/**
 * The browser world: the built library in pages of one Chromium, on the wall clock. Each device has a page in a context
 * of its own. The exchange listens on a port of its own.
 */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { ScenarioActors } from '../../../sim/scenario/actor/scenario-actors.ts';
import { deviceNames } from '../../../sim/scenario/format/read-scenario.ts';
import { spanOf } from '../../../sim/format/duration.ts';
import type { Fault } from '../../../sim/faults/vocabulary.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { readServer } from '../../../sim/scenario/run/read-server.ts';
import {
  type Acted,
  NotInThisWorld,
  type ScenarioTimers,
  type ScenarioWorld,
} from '../../../sim/scenario/run/world.ts';
import { faultText } from '../../../sim/faults/fault-text.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { networkEvent } from '../../../sim/scenario/virtual/network-event.ts';
import { faultRandoms, seededRandom } from '../../../sim/virtual/random.ts';
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import type { Fate, Message } from '../../../sim/faults/message.ts';
import { injectFault } from '../../../sim/faults/inject-fault.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import { packageRoot } from '../../package-root.ts';
import { REAL_FAULTS } from '../real/real-faults.ts';
import { callOfMedia, MediaPaths } from '../real/media-paths.ts';
import { startRealExchange } from '../real/real-exchange.ts';
import type { WorldExchange } from '../real/world-exchange.ts';
import { toleranceOf, Waiting } from '../real/waiting.ts';
import { realFaults } from '../real/wire.ts';
import { BrowserDevice } from './browser-device.ts';
import type { PageNews } from './page/page-news.ts';

/** The tolerance of a moment on a fast machine, milliseconds. A page reports it to Node. */
const SLACK_MS = 500;
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
}

/** Creates the world of a scenario and signs its users in. */
export async function browserWorld(scenario: Pick<Scenario, 'actors'>, options: Options): Promise<ScenarioWorld> {
  const made = new BrowserWorld(scenario.actors, options);
  try {
    await made.begin(options);
    return made;
  } catch (error) {
    await made.close().catch(() => undefined);
    throw error;
  }
}

class BrowserWorld implements ScenarioWorld {
  readonly #users: Scenario['actors'];
  readonly #signal: AbortSignal;
  readonly #randomOf: (name: string) => () => number;
  readonly #paths: MediaPaths;
  #events: TraceEvent[] = [];
  /** The messages that pages sent, by device and text, with their times. */
  readonly #sendings = new Map<string, number>();
  /** The device and the text of an event. */
  readonly #noted = new WeakMap<TraceEvent, string>();
  readonly #waiting = new Waiting();
  readonly #faults: FaultEngine = realFaults(1, (message, fate) => this.#carried(message, fate));
  readonly #devices: BrowserDevice[] = [];
  #actors!: ScenarioActors<BrowserDevice>;
  #exchange: WorldExchange | undefined;
  #start = performance.now();
  /** The end of the story. Later events do not belong to it. */
  #end = Number.POSITIVE_INFINITY;

  constructor(users: Scenario['actors'], { seed, signal }: Options) {
    this.#users = users;
    this.#signal = signal;
    this.#randomOf = faultRandoms(seed);
    this.#paths = new MediaPaths(seededRandom(seed));
  }

  async begin({ browser, timers }: Options): Promise<void> {
    const exchange = await startRealExchange(Object.values(this.#users), {
      timeScale: 1,
      mediaPath: (callId) => this.#paths.open(callId),
    });
    this.#exchange = exchange;
    const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
    const open = async (name: string) => {
      const [person = name] = name.split('.');
      const device = await BrowserDevice.open({
        browser,
        device: name,
        exchange: exchange.port,
        dist: join(packageRoot(), 'dist'),
        wire: this.#faults,
        role: {
          name,
          user: this.#users[person]?.user ?? person,
          timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
        },
        heard: (news) => this.#heard(name, news),
      });
      this.#devices.push(device);
    };
    await Promise.all(deviceNames(this.#users).map(open));
    this.#actors = new ScenarioActors(
      this.#users,
      (name) => this.#devices.find((one) => one.name === name) as BrowserDevice,
    );
    const { online } = this.#actors;
    await Promise.all(online.map((device) => device.signIn()));
    // Signing in does not belong to the story, but a page may report it late.
    await this.until(() => online.every((device) => device.read(['ws']) === 'open'), SETTLING_MS);
    this.#events.length = 0;
    this.#start = performance.now();
  }

  get now(): number {
    return performance.now() - this.#start;
  }

  get moment(): number {
    return Math.max(0, this.#waiting.moment - this.#start);
  }

  get trace(): readonly TraceEvent[] {
    return this.#events;
  }

  tolerance(ms: number): number {
    return toleranceOf(SLACK_MS, ms, this.#waiting.late);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#waiting.until(() => {
      this.#signal.throwIfAborted();
      return condition();
    }, ms);
  }

  read(path: string): unknown {
    const parts = path.split('.');
    if (parts[0] !== 'server') return this.#actors.read(parts);
    return this.#exchange && readServer(parts[1], this.#exchange.seen, this.#events);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#actors.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    const exchange = this.#exchange as WorldExchange;
    const site = {
      exchange,
      paths: this.#paths,
      messages: this.#faults,
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
    this.#note(event);
  }

  async close(): Promise<readonly string[]> {
    this.#end = performance.now();
    this.#faults.clear();
    const devices = this.#devices;
    for (const { name, channelGate, httpGate } of devices) {
      channelGate.set('up');
      httpGate.set('up');
      this.#paths.restore(name);
    }
    if (!this.#signal.aborted) {
      await Promise.all(devices.map((device) => device.signOut()));
      await this.#waiting.until(() => this.#leftovers().length === 0, SETTLING_MS);
    }
    const leftovers = this.#leftovers();
    this.#order();
    await Promise.all(devices.map((device) => device.close()));
    await this.#exchange?.close();
    return leftovers;
  }

  /**
   * Sorts late reports: pages report late, and their messages are noted on the way. Each one goes to its own moment.
   */
  #order(): void {
    this.#events = this.#events
      .map((event) => ({ ...event, at: this.#sendings.get(this.#noted.get(event) ?? '') ?? event.at }))
      .toSorted((one, other) => one.at - other.at);
  }

  #leftovers(): string[] {
    return this.#devices.flatMap((device) =>
      Object.entries(LET_GO).flatMap(([what, none]) => {
        const left = device.read([what]);
        return left === none ? [] : [`${device.name}: ${what} ${String(left)}`];
      }),
    );
  }

  #carried(message: Message, fate: Fate): void {
    const event = this.#note(networkEvent({ ...message, at: 0, dropped: fate === 'drop', fate }, 0));
    const { device, direction, via, type, text } = message;
    if (direction === 'up') this.#noted.set(event, `${device} ${via === 'http' ? `${type} ` : ''}${text}`);
    const callId = direction === 'up' ? callOfMedia(type, text) : undefined;
    if (callId !== undefined) this.#paths.takesPart(device, callId);
  }

  #heard(device: string, { at, event, sent }: Omit<PageNews, 'view'>): void {
    const here = at - performance.timeOrigin;
    this.#waiting.wasLate(performance.now() - here);
    if (sent !== undefined) this.#sendings.set(`${device} ${sent}`, here - this.#start);
    if (event) this.#note(event, here);
    else this.#waiting.wake(here);
  }

  /** @param at - the time of the event, on the clock of `performance.now()`. */
  #note(event: Untimed, at = performance.now()): TraceEvent {
    const timed = { ...event, at: at - this.#start };
    // The time of the event counts, not the time of its report.
    if (at >= this.#start && at <= this.#end) this.#events.push(timed);
    this.#waiting.wake(at);
    return timed;
  }
}
