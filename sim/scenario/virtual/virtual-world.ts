/** The world in which nothing takes real time: one event heap, memory transports, modelled media; one seed, one trace. */
import type { Fault } from '../format/faults.ts';
import type { Scenario } from '../format/tree.ts';
import { spanOf } from '../format/duration.ts';
import type { VirtualPlatform } from '../../virtual/platform.ts';
import { seededRandom, seedFor } from '../../virtual/random.ts';
import { createWorld, type World } from '../../virtual/world.ts';
import { Actor } from '../actor/actor.ts';
import { Cast } from '../actor/cast.ts';
import { readServer } from '../run/read-server.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../trace/trace.ts';
import type { Acted, ScenarioTimers, ScenarioWorld, Strikes } from '../run/world.ts';
import { ExchangeClock } from './exchange-clock.ts';
import { injectFault } from './faults/inject-fault.ts';
import { heardAndSeen } from './heard-and-seen.ts';
import { networkEvent } from './network-event.ts';
import { VirtualServer } from './virtual-server.ts';

const API = 'http://exchange.test';
const WS = 'ws://exchange.test';
/** Long enough for everybody to sign in, and for what is under way at the end to arrive. */
const SETTLING_MS = 200;
/** What a device keeps as long as its client lives. */
const KEPT = /\d+ (device|page) listeners$/;

/** Makes the world of a scenario and signs its people in. */
export async function virtualWorld(
  scenario: Pick<Scenario, 'actors'>,
  seed: number,
  timers: ScenarioTimers,
): Promise<ScenarioWorld> {
  const made = new VirtualScenarioWorld(scenario, seed, timers);
  await made.begin();
  return made;
}

class VirtualScenarioWorld implements ScenarioWorld {
  readonly #world: World<VirtualServer>;
  readonly #cast: Cast<Actor<VirtualPlatform>>;
  readonly #events: TraceEvent[] = [];
  readonly #users: Scenario['actors'];
  readonly #seed: number;
  readonly #exchangeClock: ExchangeClock;
  /** How many faults of a name there were: each has chances of its own. */
  readonly #faults = new Map<string, number>();
  /** What is broken still. */
  readonly #broken = new Set<{ readonly mend: () => void }>();
  #carried = 0;
  /** What was delayed is still on its way for so long. */
  #longestDelay = 0;
  /** The story has ended: what happens from now on is no part of its trace. */
  #isOver = false;
  /** When the world was made, and when the story began. */
  readonly #made: number;
  #start: number;

  constructor({ actors }: Pick<Scenario, 'actors'>, seed: number, timers: ScenarioTimers) {
    this.#users = actors;
    this.#seed = seed;
    let exchangeClock: ExchangeClock | undefined;
    this.#world = createWorld({
      seed,
      exchange: (clock) => {
        exchangeClock = new ExchangeClock(clock);
        return new VirtualServer(
          exchangeClock,
          Object.values(actors).map(({ user }) => user),
        );
      },
    });
    this.#exchangeClock = exchangeClock ?? new ExchangeClock(this.#world.clock);
    this.#made = this.#world.clock.now();
    this.#start = this.#made;
    const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
    this.#cast = new Cast(
      actors,
      (name, user) =>
        new Actor({
          name,
          user,
          platform: this.#world.platform(name),
          apiHost: API,
          websocketHost: WS,
          media: heardAndSeen(
            this.#world.platform(name),
            () => this.#cast.all.map(({ platform }) => platform),
            this.#world.media,
          ),
          note: (event) => this.#note(event),
          timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
        }),
    );
  }

  async begin(): Promise<void> {
    const all = Promise.all(this.#cast.online.map((actor) => actor.signIn()));
    all.catch(() => undefined);
    await this.#world.advance(SETTLING_MS);
    await all;
    // What it took to sign in is no part of the story.
    this.#flush();
    this.#events.length = 0;
    this.#start = this.#world.clock.now();
  }

  get now(): number {
    return this.#world.clock.now() - this.#start;
  }

  /** Nothing is noticed late here. */
  get moment(): number {
    return this.now;
  }

  get pending(): readonly number[] {
    return this.#world.clock.pending.map(({ dueIn }) => dueIn);
  }

  get trace(): readonly TraceEvent[] {
    this.#flush();
    return this.#events;
  }

  tolerance(): number {
    // A message takes a millisecond each way, and what it leads to is seen when it has come.
    return 5;
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#world.clock.advanceUntil(ms, condition);
  }

  read(path: string): unknown {
    const parts = path.split('.');
    if (parts[0] !== 'server') return this.#cast.read(parts);
    const { exchange, history } = this.#world.exchange;
    const { liveCalls, deviceCount } = exchange;
    return readServer(parts[1], { liveCalls, deviceCount, records: history }, this.trace);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#cast.act(actor, action, parameters);
  }

  break(fault: Fault, strikes: Strikes, name: string): () => void {
    this.#longestDelay = Math.max(this.#longestDelay, longestDelayOf(fault));
    const mend = injectFault(fault, strikes, {
      world: this.#world,
      exchangeClock: this.#exchangeClock,
      devicesOf: (actor) => this.#cast.devicesOf(actor).map(({ platform }) => platform),
      usersOf: (actor) => this.#usersOf(actor),
      random: this.#chancesOf(name),
    });
    const broken = { mend };
    this.#broken.add(broken);
    return () => {
      if (!this.#broken.delete(broken)) return;
      mend();
    };
  }

  note(event: Untimed<StepEvent | FaultEvent>): void {
    this.#note(event);
  }

  async close(): Promise<readonly string[]> {
    this.#flush();
    this.#isOver = true;
    for (const { mend } of this.#broken) mend();
    for (const { client } of this.#cast.all) client.deauthenticate();
    this.#world.exchange.close();
    await this.#world.advance(SETTLING_MS + this.#longestDelay);
    return this.#world.leftovers().filter((line) => !KEPT.test(line));
  }

  /** The users behind a name: an actor's, or the one of that very id; everybody, where no name is given. */
  #usersOf(name?: string): string[] {
    if (name === undefined) return Object.values(this.#users).map(({ user }) => user);
    return [this.#users[name]?.user ?? name];
  }

  #chancesOf(name: string): () => number {
    const count = (this.#faults.get(name) ?? 0) + 1;
    this.#faults.set(name, count);
    return seededRandom(seedFor(this.#seed, `fault ${name} ${count}`));
  }

  #note(event: Untimed): void {
    if (this.#isOver) return;
    this.#flush();
    this.#events.push({ at: this.now, ...event });
  }

  /** Takes over what went through the network since the last time: it comes before whatever is noted next. */
  #flush(): void {
    if (this.#isOver) return;
    const lines = this.#world.network.trace;
    for (; this.#carried < lines.length; this.#carried += 1) {
      const line = lines[this.#carried];
      if (line) this.#events.push(networkEvent(line, this.#start - this.#made));
    }
  }
}

/** How much longer than usual a message may be on its way, milliseconds. */
function longestDelayOf(fault: Fault): number {
  switch (fault.kind) {
    case 'delay':
      return (spanOf(fault.by) ?? 0) + (spanOf(fault.jitter) ?? 0);
    case 'replay':
      return spanOf(fault.after) ?? 0;
    case 'ws':
    case 'http':
      return fault.how === 'slow' ? 60 * (spanOf(fault.by) ?? 0) : 0;
    default:
      return 0;
  }
}
