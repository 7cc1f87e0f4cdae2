import type * as v from 'valibot';
import type { fault, selection } from '../../sim/faults/vocabulary.ts';
import { didYouMean } from '../../sim/format/near-word.ts';
import type { Span } from '../../sim/format/duration.ts';
import type { MessageName } from '../../sim/scenario/format/messages.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { checkOptions, checkOrigins, checkUsers, shown } from './check-use.ts';
import type { KitAnswers, KitCommand, KitUsers, LadderFiles, PageAddress } from './kit-messages.ts';
import { TestUser, type Waits } from './test-user.ts';
import { CallSite } from './world-error.ts';
import { type KitRefusal, processOfWorlds, type WorldsProcess } from './worlds-process.ts';

/** The users of a world: their names, or their names with the devices of those who have several. */
export type WorldUsers = readonly string[] | KitUsers;

export interface WorldOptions {
  /** The name of the world in messages and pictures. Default: `world`. */
  readonly name?: string;
  /** The users, headless or in pages of the test. Default: alice, bob and carol. */
  readonly users?: WorldUsers;
  /** The origins of the pages. Default: those of this machine, on any port. */
  readonly origins?: readonly string[];
  /** The seed of faults with a probability. Default: 1. */
  readonly seed?: number;
}

/** A fault, in the words of scenarios. */
export type WorldFault = v.InferInput<typeof fault> &
  Omit<v.InferInput<v.StrictObjectSchema<typeof selection, undefined>>, never> & {
    /** The time after which the fault ends, on the clock of the world. Default: it ends when it is cleared. */
    readonly until?: Span;
  };

/** A message or a request on the wire, or a channel that opens or closes. */
export interface MessagePattern {
  readonly from?: string;
  readonly to?: string;
  /** The type of a message: `dial`, `dial_ack`, `offer`. */
  readonly cmd?: MessageName | (string & {});
  /** Method and path of a request. */
  readonly http?: string;
  readonly ws?: 'open' | 'close';
  /** Values that the payload must contain. */
  readonly with?: Readonly<Record<string, unknown>>;
}

/** A fault that the test has injected. */
export interface InjectedFault {
  /** Ends the fault. */
  clears(): Promise<void>;
}

/** Moves another clock, for example that of a page, by milliseconds. */
export type Follower = (ms: number) => unknown;

const DEFAULT_USERS: WorldUsers = ['alice', 'bob', 'carol'];
/** The longest move of a clock. */
const LONGEST_ADVANCE: Span = '24h';
/**
 * The steps of followers: a share of the whole, within these limits. The timers of followers and those of the exchange
 * take turns. Each step costs some milliseconds. The largest is below every silence after which a side is taken for
 * lost. Milliseconds.
 */
const FOLLOWED_MS = { least: 1_000, share: 1 / 240, most: 5_000 };

let numbered = 0;

/**
 * Opens a world: an exchange with users of its own, which no other test sees. The first world of a test process takes
 * up to three seconds, later ones a fraction of one.
 * @throws WorldError for a name that no user can have, and for an option that does not exist.
 */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const site = new CallSite(openWorld);
  checkOptions('openWorld', options, site, 'openWorld');
  checkUsers(options.users ?? DEFAULT_USERS, site);
  checkOrigins(options.origins, site);
  const { name = 'world', users = DEFAULT_USERS, origins, seed = 1 } = options;
  const named: KitUsers = isNames(users) ? Object.fromEntries(users.map((user) => [user, {}])) : users;
  const worlds = processOfWorlds();
  numbered += 1;
  const number = numbered;
  try {
    const addresses = await worlds.ask(number, { type: 'open', users: named, seed, origins });
    return new World(name, named, { worlds, number, addresses });
  } catch (error) {
    worlds.closed();
    throw site.error((error as KitRefusal).refused);
  }
}

/** Moves a follower. @throws WorldError with the first line of its error. */
async function followed(follower: Follower, ms: number, site: CallSite): Promise<void> {
  try {
    await follower(ms);
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw site.error(`a follower of the clock failed: ${why}`);
  }
}

const isNames = (users: WorldUsers): users is readonly string[] => Array.isArray(users);

interface Opened {
  readonly worlds: Pick<WorldsProcess, 'ask' | 'closed'>;
  readonly number: number;
  readonly addresses: Readonly<Record<string, PageAddress>>;
}

/** A world of a test: users, an exchange, a wire that can fail, and a clock that can be moved. */
export class World {
  readonly name: string;
  readonly #users: KitUsers;
  readonly #opened: Opened;
  /** One entry for each call of `follow`. */
  readonly #followers = new Set<{ readonly follower: Follower }>();
  #closing: Promise<void> | undefined;

  /** Made by `openWorld`. */
  constructor(name: string, users: KitUsers, opened: Opened) {
    this.name = name;
    this.#users = users;
    this.#opened = opened;
  }

  /** Whether the world is closed. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * Returns a user, by name, or one device: `bob`, `bob.phone`.
   * @throws WorldError when there is no such user, or the user has several devices.
   */
  user(name: string): TestUser {
    this.#deviceNamed(name, new CallSite(this.user));
    return new TestUser(name, (command, site) => this.#ask(command, site));
  }

  /**
   * Returns the addresses for the page of a user: `init(appId, apiUrl, wsUrl)`. Faults of that user break them.
   * @throws WorldError when there is no such user, or the user has several devices.
   */
  addressOf(name: string): PageAddress {
    const site = new CallSite(this.addressOf);
    this.#deviceNamed(name, site);
    const address = this.#opened.addresses[name];
    if (!address) throw site.error(`there is no address for ${name}`);
    return address;
  }

  /** Injects a fault: `await world.fault({ kind: 'ws', actor: 'alice', how: 'reset' })`. It lasts until it is cleared. */
  async fault(written: WorldFault): Promise<InjectedFault> {
    const site = new CallSite(this.fault);
    if (typeof written !== 'object' || written === null)
      throw site.error(
        `a fault is an object like { kind: 'ws', actor: 'alice', how: 'reset' }; found ${shown(written)}`,
      );
    const { until, first, nth, times, p, ...injected } = written;
    const bounds = Object.entries({ until, first, nth, times, p }).filter(([, value]) => value !== undefined);
    const step = { fault: injected, ...Object.fromEntries(bounds) };
    const name = String(await this.#ask({ type: 'step', step, line: site.line }, site));
    const clears = () => this.#ask({ type: 'clear', fault: name }, new CallSite(clears));
    return { clears };
  }

  /** Waits until a message was seen, since the world was opened: `await world.saw({ from: 'alice', cmd: 'end' })`. */
  async saw(pattern: MessagePattern, waits: Waits & { readonly times?: number } = {}): Promise<void> {
    const site = new CallSite(this.saw);
    checkOptions('messages', pattern, site, 'a pattern of messages');
    checkOptions('saw', waits, site, 'saw');
    const { within = '5s', times = 1 } = waits;
    await this.#ask({ type: 'step', step: { see: pattern, within, times }, line: site.line }, site);
  }

  /** Returns the messages and requests so far, masked. */
  async messages(pattern: MessagePattern = {}): Promise<readonly TraceEvent[]> {
    const site = new CallSite(this.messages);
    checkOptions('messages', pattern, site, 'a pattern of messages');
    return this.#ask({ type: 'messages', pattern: { ...pattern } }, site);
  }

  /**
   * Moves the clock of the world ahead: that of the exchange, of headless users, of faults, and of followers. Their
   * timers run in turn, and their messages arrive in between. Media goes on in real time.
   */
  async advance(span: Span): Promise<void> {
    const site = new CallSite(this.advance);
    const move = await this.#ask({ type: 'begin-advance', span, longest: LONGEST_ADVANCE }, site);
    const { least, share, most } = FOLLOWED_MS;
    const step =
      this.#followers.size === 0 ? move.wholeMs : Math.min(most, Math.max(least, Math.ceil(move.wholeMs * share)));
    let isThere = false;
    while (!isThere) {
      const { moved, left } = await this.#ask({ type: 'advance', move, most: step }, site);
      for (const { follower } of [...this.#followers]) await followed(follower, moved, site);
      isThere = left === 0;
    }
  }

  /**
   * Restarts the exchange: its channels close, and its calls go on. Resolves when the exchange is ready again, which may
   * be before its clients are back. A longer outage is a fault:
   * `await world.fault({ kind: 'server', how: 'restart', until: '10s' })`.
   */
  restartExchange(): Promise<void> {
    return this.#ask({ type: 'restart' }, new CallSite(this.restartExchange));
  }

  /**
   * Moves another clock with that of the world. In Playwright: `await page.clock.install()` before the page loads, then
   * `world.follow((ms) => page.clock.runFor(ms))`. Returns the function that ends this: call it before the page closes.
   */
  follow(follower: Follower): () => void {
    if (typeof follower !== 'function')
      throw new CallSite(this.follow).error(`a follower is a function of milliseconds; found ${shown(follower)}`);
    const following = { follower };
    this.#followers.add(following);
    return () => void this.#followers.delete(following);
  }

  /** Returns the messages so far as a ladder: text for a terminal, and a picture. */
  ladder(): Promise<LadderFiles> {
    return this.#ask({ type: 'ladder', title: this.name }, new CallSite(this.ladder));
  }

  /** Ends every call, and closes the world. Closing it again does nothing. */
  close(): Promise<void> {
    const { worlds, number } = this.#opened;
    this.#closing ??= worlds.ask(number, { type: 'close' }).then(
      () => worlds.closed(),
      // The process has ended, and the world with it.
      () => worlds.closed(),
    );
    return this.#closing;
  }

  async #ask<C extends KitCommand>(command: C, site: CallSite): Promise<KitAnswers[C['type']]> {
    if (this.#closing) throw site.error(`the world ${this.name} is closed`);
    try {
      return await this.#opened.worlds.ask(this.#opened.number, command);
    } catch (error) {
      const { refused, code } = error as KitRefusal;
      throw site.error(refused, code);
    }
  }

  #deviceNamed(name: string, site: CallSite): void {
    const known = Object.keys(this.#opened.addresses);
    if (known.includes(name)) return;
    const users = Object.keys(this.#users);
    const device = known.find((one) => one.startsWith(`${name}.`));
    if (device !== undefined) throw site.error(`${name} has several devices: name one, like ${device}`);
    const meant = didYouMean(name, [...users, ...known]);
    throw site.error(`there is no user ${name}${meant || `: the users are ${users.join(', ')}`}`);
  }
}
