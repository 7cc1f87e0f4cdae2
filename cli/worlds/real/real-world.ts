/**
 * The real world: real sockets and real media on the wall clock. It has an exchange on a port of its own, and devices
 * that run the library over ws and wrtc. It runs in the scenario host (scenario-host.ts).
 */
import { Actor } from '../../../sim/scenario/actor/actor.ts';
import { toneOf } from '../../../sim/scenario/actor/received-media.ts';
import { ScenarioActors } from '../../../sim/scenario/actor/scenario-actors.ts';
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
import { REAL_FAULTS } from './real-faults.ts';
import { callOfMedia, MediaPaths } from './media-paths.ts';
import { openRealDevice, type RealDevice, type RealPlatform } from './real-device.ts';
import { startRealExchange } from './real-exchange.ts';
import type { WorldExchange } from './world-exchange.ts';
import { toleranceOf, Waiting } from './waiting.ts';
import type { FaultEngine } from '../../../sim/faults/fault-engine.ts';
import type { Fate, Message } from '../../../sim/faults/message.ts';
import { injectFault } from '../../../sim/faults/inject-fault.ts';
import type { Selection } from '../../../sim/faults/selection.ts';
import { realFaults } from './wire.ts';

const HOST = '127.0.0.1';
/** The tolerance of a moment on a fast machine, milliseconds. */
const SLACK_MS = 250;
/** The time for pending messages to arrive at the end, milliseconds. */
const SETTLING_MS = 3_000;

interface Options {
  readonly seed: number;
  readonly timers: ScenarioTimers;
  /** How many times faster the timers of the library run. 1 for real time. */
  readonly timeScale: number;
  /** Whether the exchange is stopped or killed. */
  readonly restarts: boolean;
}

/** Creates the world of a scenario and signs its users in. */
export async function realWorld(scenario: Pick<Scenario, 'actors'>, options: Options): Promise<ScenarioWorld> {
  const made = new RealWorld(options.timeScale);
  await made.begin(scenario, options);
  return made;
}

class RealWorld implements ScenarioWorld {
  readonly #scale: number;
  readonly #events: TraceEvent[] = [];
  readonly #waiting = new Waiting();
  readonly #faults: FaultEngine;
  readonly #devices = new Map<string, RealDevice>();
  #randomOf = faultRandoms(0);
  #paths = new MediaPaths(Math.random);
  #exchange!: WorldExchange;
  #actors!: ScenarioActors<Actor<RealPlatform>>;
  #start = performance.now();
  #isOver = false;

  constructor(timeScale: number) {
    this.#scale = timeScale;
    this.#faults = realFaults(timeScale, (message, fate) => this.#carried(message, fate));
  }

  async begin({ actors }: Pick<Scenario, 'actors'>, { seed, timers, restarts }: Options): Promise<void> {
    this.#randomOf = faultRandoms(seed);
    this.#paths = new MediaPaths(seededRandom(seed));
    this.#exchange = await startRealExchange(Object.values(actors), {
      timeScale: this.#scale,
      isProcess: restarts,
      mediaPath: (callId) => this.#paths.open(callId),
    });
    const names = Object.entries(actors).flatMap(([name, { devices }]) =>
      devices ? devices.map((device) => `${name}.${device}`) : [name],
    );
    for (const [at, name] of names.entries()) {
      this.#devices.set(
        name,
        await openRealDevice({
          name,
          seed,
          timeScale: this.#scale,
          tone: toneOf(at),
          port: this.#exchange.port,
          wire: this.#faults,
        }),
      );
    }
    const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
    this.#actors = new ScenarioActors(actors, (name, user) => {
      const { platform, media, channelGate, httpGate } = this.#device(name);
      return new Actor({
        name,
        user,
        platform,
        apiHost: `http://${HOST}:${httpGate.port}`,
        websocketHost: `ws://${HOST}:${channelGate.port}`,
        media: media.received,
        note: (event) => this.#note(event),
        timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
      });
    });
    await Promise.all(this.#actors.online.map((actor) => actor.signIn()));
    // Signing in does not belong to the story.
    this.#events.length = 0;
    this.#start = performance.now();
  }

  get now(): number {
    return this.#sinceStart(performance.now());
  }

  get moment(): number {
    return this.#sinceStart(this.#waiting.moment);
  }

  get trace(): readonly TraceEvent[] {
    return this.#events;
  }

  tolerance(ms: number): number {
    return toleranceOf(SLACK_MS * this.#scale, ms, this.#waiting.late * this.#scale);
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#waiting.until(condition, ms / this.#scale);
  }

  read(path: string): unknown {
    const parts = path.split('.');
    return parts[0] === 'server' ? readServer(parts[1], this.#exchange.seen, this.#events) : this.#actors.read(parts);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#actors.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    const site = {
      exchange: this.#exchange,
      paths: this.#paths,
      messages: this.#faults,
      random: this.#randomOf(name),
      devicesOf: (actor: string) =>
        new Map([...this.#devices].filter(([own]) => actor === '' || own === actor || own.startsWith(`${actor}.`))),
    };
    const mend = injectFault(fault, selection, { site, target: REAL_FAULTS });
    if (!mend) throw new NotInThisWorld(`the fault ${faultText(fault)} is not supported on real sockets and media`);
    return mend;
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.#note(event);
  }

  async close(): Promise<readonly string[]> {
    this.#isOver = true;
    this.#faults.clear();
    for (const [name, { channelGate, httpGate, media }] of this.#devices) {
      media.stop();
      channelGate.set('up');
      httpGate.set('up');
      this.#paths.restore(name);
    }
    for (const { client } of this.#actors.all) client.deauthenticate();
    await Promise.all([
      ...[...this.#devices.values()].map((device) => device.settled()),
      this.#waiting.until(() => this.#leftovers().length === 0, SETTLING_MS),
    ]);
    const leftovers = this.#leftovers();
    await this.#exchange.close();
    await Promise.all(
      [...this.#devices.values()].flatMap(({ channelGate, httpGate }) => [channelGate.close(), httpGate.close()]),
    );
    return leftovers;
  }

  /** Converts a reading of the clock of the host to milliseconds of the clock of the scenario. */
  #sinceStart(at: number): number {
    return Math.max(0, at - this.#start) * this.#scale;
  }

  #leftovers(): string[] {
    const kept = { pcs: 'peer connections', tracks: 'tracks', calls: 'calls' };
    return this.#actors.all.flatMap((actor) => {
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

  #device(name: string): RealDevice {
    const device = this.#devices.get(name);
    if (!device) throw new Error(`there is no device ${name}`);
    return device;
  }

  #carried(message: Message, fate: Fate): void {
    this.#note(networkEvent({ ...message, at: 0, dropped: fate === 'drop', fate }, 0));
    const callId = callOfMedia(message.type, message.text);
    if (callId !== undefined && message.direction === 'up') this.#paths.takesPart(message.device, callId);
  }

  #note(event: Untimed): void {
    if (!this.#isOver) this.#events.push({ ...event, at: this.now });
    this.#waiting.wake();
  }
}
