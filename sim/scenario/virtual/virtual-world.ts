/**
 * The virtual world: one event heap, memory transports, modeled media. It takes no real time, and one seed gives one
 * trace.
 */
import { injectFault } from '../../faults/inject-fault.ts';
import type { Selection } from '../../faults/selection.ts';
import { type Fault, MEDIA_SERVER } from '../../faults/vocabulary.ts';
import type { Scenario } from '../format/tree.ts';
import { spanOf } from '../../format/duration.ts';
import type { VirtualPlatform } from '../../virtual/platform.ts';
import { faultRandoms } from '../../virtual/random.ts';
import { createWorld, type VirtualNetworkWorld } from '../../virtual/world.ts';
import { Actor } from '../actor/actor.ts';
import { ScenarioActors } from '../actor/scenario-actors.ts';
import { readServer } from '../run/read-server.ts';
import type { Acted, ScenarioTimers, ScenarioWorld } from '../run/world.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';
import { VIRTUAL_FAULTS } from './faults/virtual-faults.ts';
import { heardAndSeen } from './heard-and-seen.ts';
import { networkEvent } from './network-event.ts';
import { VirtualCluster } from './virtual-cluster.ts';

const API = 'http://exchange.test';
const WS = 'ws://exchange.test';
/** The time in which every user signs in, and in which messages in transit at the end arrive. Milliseconds. */
const SETTLING_MS = 200;
/** The longest time in which the nodes find each other. Milliseconds. */
const JOINING_MS = 10_000;
/** The longest time in which the nodes of a cluster stop. Milliseconds. */
const STOPPING_MS = 10_000;
/** Listeners that a device has as long as its client exists. */
const KEPT = /\d+ (device|page) listeners$/;

/** Creates the world of a scenario and signs its users in. */
export async function virtualWorld(
  scenario: Pick<Scenario, 'actors' | 'nodes'>,
  seed: number,
  timers: ScenarioTimers,
): Promise<ScenarioWorld> {
  const made = new VirtualScenarioWorld(scenario, seed, timers);
  await made.begin();
  return made;
}

class VirtualScenarioWorld implements ScenarioWorld {
  readonly #world: VirtualNetworkWorld<VirtualCluster>;
  readonly #actors: ScenarioActors<Actor<VirtualPlatform>>;
  readonly #events: TraceEvent[] = [];
  readonly #users: Scenario['actors'];
  readonly #randomOf: (name: string) => () => number;
  /** The faults that have not ended. */
  readonly #broken = new Set<{ readonly mend: () => void }>();
  #carried = 0;
  /** The longest time that a delayed message may be in transit. Milliseconds. */
  #longestDelay = 0;
  /** Whether the story has ended: later events are no part of its trace. */
  #isOver = false;
  /** When the world was created, and when the story began. */
  readonly #made: number;
  #start: number;

  constructor({ actors, nodes = 1 }: Pick<Scenario, 'actors' | 'nodes'>, seed: number, timers: ScenarioTimers) {
    this.#users = actors;
    this.#randomOf = faultRandoms(seed);
    this.#world = createWorld({
      seed,
      exchange: (clock, mediaServer) =>
        new VirtualCluster({
          world: clock,
          seed,
          nodes,
          users: Object.values(actors).map(({ user }) => user),
          mediaServer: mediaServer(MEDIA_SERVER),
        }),
    });
    this.#made = this.#world.clock.now();
    this.#start = this.#made;
    const [ring, connection] = [spanOf(timers.ring), spanOf(timers.connection)];
    this.#actors = new ScenarioActors(
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
            () => this.#actors.all.map(({ platform }) => platform),
            this.#world.media,
          ),
          note: (event) => this.#note(event),
          timers: { ...(ring === undefined ? {} : { ring }), ...(connection === undefined ? {} : { connection }) },
        }),
    );
  }

  async begin(): Promise<void> {
    if (!this.#world.exchange.isReady)
      await this.#world.clock.advanceUntil(JOINING_MS, () => this.#world.exchange.isReady);
    const all = Promise.all(this.#actors.online.map((actor) => actor.signIn()));
    all.catch(() => undefined);
    await this.#world.advance(SETTLING_MS);
    await all;
    // The sign-in is no part of the story.
    this.#flush();
    this.#events.length = 0;
    this.#start = this.#world.clock.now();
  }

  get now(): number {
    return this.#world.clock.now() - this.#start;
  }

  /** Returns the current moment: this world notices nothing late. */
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
    // A message takes a millisecond each way, and its effect is visible when it has arrived.
    return 5;
  }

  until(condition: () => boolean, ms: number): Promise<boolean> {
    return this.#world.clock.advanceUntil(ms, condition);
  }

  read(path: string): unknown {
    const parts = path.split('.');
    if (parts[0] !== 'server')
      return parts.at(-1) === 'node' ? this.#nodeOf(parts.slice(0, -1).join('.')) : this.#actors.read(parts);
    const { liveCalls, deviceCount, roomSnapshots, history, running, owners } = this.#world.exchange;
    const seen = { liveCalls, deviceCount, roomSnapshots, records: history, nodes: running, owners };
    return readServer(parts[1], seen, this.trace);
  }

  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted> {
    return this.#actors.act(actor, action, parameters);
  }

  inject(fault: Fault, selection: Selection, name: string): () => void {
    this.#longestDelay = Math.max(this.#longestDelay, longestDelayOf(fault));
    const site = {
      world: this.#world,
      messages: this.#world.network.faults,
      devicesOf: (actor?: string) => this.#actors.devicesOf(actor).map(({ platform }) => platform),
      usersOf: (actor?: string) => this.#usersOf(actor),
      random: this.#randomOf(name),
    };
    const mend = injectFault(fault, selection, { site, target: VIRTUAL_FAULTS });
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
    for (const { client } of this.#actors.all) client.deauthenticate();
    this.#world.exchange.close();
    const stopping = this.#world.exchange.nodes.length > 1 ? STOPPING_MS : 0;
    await this.#world.advance(SETTLING_MS + this.#longestDelay + stopping);
    return [...this.#world.leftovers().filter((line) => !KEPT.test(line)), ...this.#world.exchange.leftovers];
  }

  /** Returns the node at the other end of the channel of a device. Undefined without a channel, and with one node. */
  #nodeOf(name: string): string | undefined {
    return this.#actors.devicesOf(name)[0]?.platform.net.node;
  }

  /**
   * Returns the ids of the users with a name: an actor's, or that of the user with this id. Without a name: all
   * users.
   */
  #usersOf(name?: string): string[] {
    if (name === undefined) return Object.values(this.#users).map(({ user }) => user);
    return [this.#users[name]?.user ?? name];
  }

  #note(event: Untimed): void {
    if (this.#isOver) return;
    this.#flush();
    this.#events.push({ at: this.now, ...event });
  }

  /** Adds the messages since the last time to the trace, before any later event. */
  #flush(): void {
    if (this.#isOver) return;
    const lines = this.#world.network.trace;
    for (; this.#carried < lines.length; this.#carried += 1) {
      const line = lines[this.#carried];
      if (line) this.#events.push(networkEvent(line, this.#start - this.#made));
    }
  }
}

/** Returns the additional time that a message may be in transit. Milliseconds. */
function longestDelayOf(fault: Fault): number {
  switch (fault.kind) {
    case 'delay':
      return (spanOf(fault.by) ?? 0) + (spanOf(fault.jitter) ?? 0);
    case 'bus':
      return spanOf(fault.by) ?? 0;
    case 'state':
      return fault.how === 'slow' ? 2 * (spanOf(fault.by) ?? 0) : 0;
    case 'replay':
      return spanOf(fault.after) ?? 0;
    case 'ws':
    case 'http':
      return fault.how === 'slow' ? 60 * (spanOf(fault.by) ?? 0) : 0;
    default:
      return 0;
  }
}
