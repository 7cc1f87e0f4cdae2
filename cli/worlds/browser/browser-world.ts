/**
 * The world of the browser: the built library in pages of one Chromium, a page in a context of its own for each device,
 * against an exchange on a port of its own, on the wall clock.
 */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { Cast } from '../../../sim/scenario/actor/cast.ts';
import { deviceNames } from '../../../sim/scenario/format/read-scenario.ts';
import { spanOf } from '../../../sim/scenario/format/duration.ts';
import type { Fault } from '../../../sim/scenario/format/faults.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { readServer } from '../../../sim/scenario/run/read-server.ts';
import {
  type Acted,
  NotInThisWorld,
  type ScenarioTimers,
  type ScenarioWorld,
  type Strikes,
} from '../../../sim/scenario/run/world.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../sim/scenario/trace/trace.ts';
import { faultText } from '../../../sim/scenario/format/fault-text.ts';
import { networkEvent } from '../../../sim/scenario/virtual/network-event.ts';
import { seededRandom, seedFor } from '../../../sim/virtual/random.ts';
import type { Rule } from '../../../sim/virtual/transit.ts';
import { packageRoot } from '../../package-root.ts';
import { breakReally } from '../real/break.ts';
import { callOfMedia, MediaPaths } from '../real/media-paths.ts';
import { startRealExchange } from '../real/real-exchange.ts';
import type { WorldExchange } from '../real/world-exchange.ts';
import { toleranceOf } from '../real/tolerance.ts';
import { Waiting } from '../real/waiting.ts';
import type { Wiring } from '../real/wire.ts';
import { BrowserDevice } from './browser-device.ts';
import type { PageNews } from './page/page-news.ts';

/** A moment may be this far off on a fast machine, milliseconds: a page tells Node of it. */
const SLACK_MS = 500;
/** What is under way at the end has this long to arrive, milliseconds. */
const SETTLING_MS = 5_000;
/** What an actor must have let go when it is over. */
const LET_GO = { pcs: 0, tracks: 0, calls: 0, sound: 'none', ws: 'closed' };

interface Options {
  readonly browser: Browser;
  readonly seed: number;
  readonly timers: ScenarioTimers;
  /** Ends the world at once. */
  readonly signal: AbortSignal;
}

/** Makes the world of a scenario and signs its people in. */
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
  readonly #people: Scenario['actors'];
  readonly #signal: AbortSignal;
  readonly #seed: number;
  readonly #paths: MediaPaths;
  #events: TraceEvent[] = [];
  /** What pages sent, by device and text, and when. */
  readonly #sendings = new Map<string, number>();
  /** The device and the text that events are of. */
  readonly #noted = new WeakMap<TraceEvent, string>();
  readonly #waiting = new Waiting();
  readonly #rules = new Set<Rule>();
  readonly #devices: BrowserDevice[] = [];
  #cast!: Cast<BrowserDevice>;
  #exchange: WorldExchange | undefined;
  #start = performance.now();
  /** When the story ended: what comes after is no part of it. */
  #end = Number.POSITIVE_INFINITY;

  constructor(people: Scenario['actors'], { seed, signal }: Options) {
    this.#people = people;
    this.#signal = signal;
    this.#seed = seed;
    this.#paths = new MediaPaths(seededRandom(seed));
  }

  async begin({ browser, timers }: Options): Promise<void> {
    const exchange = await startRealExchange(Object.values(this.#people), {
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
        wiring: this.#wiring(),
        role: {
          name,
          user: this.#people[person]?.user ?? person,
          timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
        },
        heard: (news) => this.#heard(name, news),
      });
      this.#devices.push(device);
    };
    await Promise.all(deviceNames(this.#people).map(open));
    this.#cast = new Cast(this.#people, (name) => this.#devices.find((one) => one.name === name) as BrowserDevice);
    const { online } = this.#cast;
    await Promise.all(online.map((device) => device.signIn()));
    // What it took to sign in is no part of the story; a page may still have to tell of it.
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
    if (parts[0] !== 'server') return this.#cast.read(parts);
    return this.#exchange && readServer(parts[1], this.#exchange.seen, this.#events);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#cast.act(actor, action, parameters);
  }

  break(fault: Fault, strikes: Strikes, name: string): () => void {
    const exchange = this.#exchange as WorldExchange;
    const mend = breakReally(fault, strikes, {
      exchange,
      paths: this.#paths,
      rules: this.#rules,
      random: seededRandom(seedFor(this.#seed, `fault ${name}`)),
      devicesOf: (actor) =>
        new Map((actor === '' ? this.#cast.all : this.#cast.devicesOf(actor)).map((device) => [device.name, device])),
    });
    if (!mend) throw new NotInThisWorld(`the fault ${faultText(fault)} cannot be done in a browser`);
    return mend;
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.#note(event);
  }

  async close(): Promise<readonly string[]> {
    this.#end = performance.now();
    this.#rules.clear();
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

  /** Word of pages came late, and what they sent was noted on its way: each goes to the moment it was in its page. */
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

  #wiring(): Wiring {
    return {
      rules: this.#rules,
      timeScale: 1,
      noted: (message, fate) => {
        const event = this.#note(networkEvent({ ...message, at: 0, dropped: fate === 'drop', fate }, 0));
        const { device, direction, via, type, text } = message;
        if (direction === 'up') this.#noted.set(event, `${device} ${via === 'http' ? `${type} ` : ''}${text}`);
        const callId = message.direction === 'up' ? callOfMedia(message.type, message.text) : undefined;
        if (callId !== undefined) this.#paths.takesPart(message.device, callId);
      },
    };
  }

  #heard(device: string, { at, event, sent }: Omit<PageNews, 'view'>): void {
    const here = at - performance.timeOrigin;
    this.#waiting.wasLate(performance.now() - here);
    if (sent !== undefined) this.#sendings.set(`${device} ${sent}`, here - this.#start);
    if (event) this.#note(event, here);
    else this.#waiting.wake(here);
  }

  /** @param at - when it happened, on the clock of `performance.now()`. */
  #note(event: Untimed, at = performance.now()): TraceEvent {
    const timed = { ...event, at: at - this.#start };
    // However late it is heard, what counts is when it was.
    if (at >= this.#start && at <= this.#end) this.#events.push(timed);
    this.#waiting.wake(at);
    return timed;
  }
}
