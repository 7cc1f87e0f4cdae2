import type * as v from 'valibot';
import type { ACTION_PARAMETERS, ActionName, ActionParameters } from '../../sim/scenario/format/actions.ts';
import type { ActorPath, ActorValues } from '../../sim/scenario/format/paths.ts';
import type { Wanted } from '../../sim/scenario/builder/words.ts';
import type { Span } from '../../sim/format/duration.ts';
import { ErrorCode } from '../../src/protocol/errors.ts';
import type { KitAnswers, KitCommand, Sense } from './kit-messages.ts';
import { checkOptions } from './check-use.ts';
import { CallSite, WorldError } from './world-error.ts';

/** How long a test waits. */
export interface Waits {
  /** The time limit on the clock of the machine. Default `5s`. */
  readonly within?: Span;
}

/** How a user answers the next call. */
export interface Answers {
  /** How long the call rings first, on the clock of the world. Default: not at all. */
  readonly after?: Span;
}

/** The values of a user by their paths in scenarios, without the name of the user. */
export type UserValues = { readonly [P in ActorPath]?: Wanted<ActorValues[P]> };

type DialOptions = Omit<v.InferInput<(typeof ACTION_PARAMETERS)['dial']>, 'callee'>;

/** The states of a call, and the results of one that has ended. */
export type Outcome = ActorValues['call.outcome'];

/** Sends a command of the world of a user. */
export type Ask = <C extends KitCommand>(command: C, site: CallSite) => Promise<KitAnswers[C['type']]>;

/** The code of a refused dial, whose callee has no device yet. */
const NEVER_SIGNED_IN: number = ErrorCode.ERR_CALLEE_NEVER_AUTHENTICATE;
const DEFAULT_WITHIN: Span = '5s';

/**
 * A user with a headless client: the library, with a microphone that hears a tone and a camera that sees moving bars.
 * The user signs in for the first thing that the user does. Each function resolves when the exchange has answered, and
 * rejects with a `WorldError` of one line.
 */
export class TestUser {
  /** The name of the user, or of one device: `bob`, or `bob.phone`. */
  readonly name: string;
  readonly #ask: Ask;

  /** Made by `world.user(name)`. */
  constructor(name: string, ask: Ask) {
    this.name = name;
    this.#ask = ask;
  }

  /** Signs in. Only needed for a user who does nothing but wait. */
  async signsIn(): Promise<void> {
    await this.#act('signIn', {}, new CallSite(this.signsIn));
  }

  /** Signs out: the calls of this device end. */
  async signsOut(): Promise<void> {
    await this.#act('signOut', {}, new CallSite(this.signsOut));
  }

  /** Calls another user. Resolves when the exchange has accepted the call, so that it rings. */
  async dials(user: string, options: DialOptions = {}): Promise<void> {
    const site = new CallSite(this.dials);
    try {
      await this.#act('dial', { ...options, callee: user }, site);
    } catch (error) {
      if (!(error instanceof WorldError) || error.code !== NEVER_SIGNED_IN) throw error;
      throw site.error(`${error.message}: await ${user}.signsIn() before`, error.code);
    }
  }

  /**
   * Accepts the next call that rings, or the one that rings now. Resolves as soon as the user can be called, so await it
   * before the call begins.
   */
  async accepts({ after = '0s', ...parameters }: Answers & ActionParameters<'accept'> = {}): Promise<void> {
    await this.#ask(
      { type: 'answer', device: this.name, how: 'accept', after, parameters },
      new CallSite(this.accepts),
    );
  }

  /** Declines the next call that rings, or the one that rings now. Resolves as `accepts` does. */
  async declines({ after = '0s' }: Answers = {}): Promise<void> {
    await this.#ask(
      { type: 'answer', device: this.name, how: 'decline', after, parameters: {} },
      new CallSite(this.declines),
    );
  }

  /** Ends the call. Resolves also when the other user ends it at the same time, and after a second without a network. */
  async ends(): Promise<void> {
    await this.#act('end', {}, new CallSite(this.ends));
  }

  /** Puts the call on hold. */
  async holds(): Promise<void> {
    await this.#act('hold', {}, new CallSite(this.holds));
  }

  /** Continues the call that is on hold. */
  async unholds(options: ActionParameters<'unhold'> = {}): Promise<void> {
    await this.#act('unhold', options, new CallSite(this.unholds));
  }

  /** Mutes the microphone. */
  async mutes(): Promise<void> {
    await this.#act('mute', {}, new CallSite(this.mutes));
  }

  /** Sends the microphone again. */
  async unmutes(): Promise<void> {
    await this.#act('unmute', {}, new CallSite(this.unmutes));
  }

  /** Shows the camera. */
  async startsVideo(): Promise<void> {
    await this.#act('startVideo', {}, new CallSite(this.startsVideo));
  }

  /** Stops the video of this user. */
  async stopsVideo(): Promise<void> {
    await this.#act('stopVideo', {}, new CallSite(this.stopsVideo));
  }

  /** Shares the screen in place of the camera. */
  async sharesScreen(): Promise<void> {
    await this.#act('startScreenShare', {}, new CallSite(this.sharesScreen));
  }

  /** Stops sharing the screen. */
  async stopsSharing(): Promise<void> {
    await this.#act('stopScreenShare', {}, new CallSite(this.stopsSharing));
  }

  /** Creates a room. Returns its id. */
  async createsRoom(options: ActionParameters<'createRoom'> = {}): Promise<string> {
    return (await this.#act('createRoom', options, new CallSite(this.createsRoom), 'room')) as string;
  }

  /** Enters a room by its id. Default: the room that the user created, or was invited into, last. */
  async enters(room?: string, options: Omit<ActionParameters<'enter'>, 'room'> = {}): Promise<void> {
    const site = new CallSite(this.enters);
    if (room !== undefined) await this.#act('fetchRoom', { room }, site);
    await this.#act('enter', { ...options, ...(room === undefined ? {} : { room }) }, site);
  }

  /** Leaves the room. */
  async exits(): Promise<void> {
    await this.#act('exit', {}, new CallSite(this.exits));
  }

  /** Invites a user into the room. */
  async invites(user: string): Promise<void> {
    await this.#act('invite', { user }, new CallSite(this.invites));
  }

  /** Performs any action of scenarios by its name: `await bob.does('switchCamera')`. */
  async does<A extends ActionName>(action: A, parameters?: ActionParameters<A>): Promise<void> {
    await this.#act(action, parameters ?? {}, new CallSite(this.does));
  }

  /** Waits until the call has a state or a result: `await bob.is('connected')`, `await bob.is('no_answer')`. */
  async is(outcome: Outcome, waits: Waits = {}): Promise<void> {
    await this.#has({ 'call.outcome': outcome }, waits, new CallSite(this.is));
  }

  /** Waits until values are as wanted: `await bob.has({ 'call.remoteAudio': false })`. */
  async has(values: UserValues, waits: Waits = {}): Promise<void> {
    await this.#has(values, waits, new CallSite(this.has));
  }

  /** Returns a value now: `await bob.value('call.id')`. Undefined where there is none, for example without a call. */
  async value<P extends ActorPath>(path: P): Promise<ActorValues[P] | undefined> {
    const command = { type: 'read', path: `${this.name}.${path}` } as const;
    return (await this.#ask(command, new CallSite(this.value))) as ActorValues[P] | undefined;
  }

  /** Waits until the sound of a user arrives: the tone of a headless user, any sound of a page. */
  async hears(user: string, waits: Waits = {}): Promise<void> {
    await this.#perceive('hears', user, waits, new CallSite(this.hears));
  }

  /** Waits until no sound has arrived for 1.5 seconds. */
  async hearsNothing(waits: Waits = {}): Promise<void> {
    await this.#perceive('hears nothing', undefined, waits, new CallSite(this.hearsNothing));
  }

  /** Waits until moving pictures of a user arrive. */
  async sees(user: string, waits: Waits = {}): Promise<void> {
    await this.#perceive('sees', user, waits, new CallSite(this.sees));
  }

  /** Waits until no moving picture has arrived for 1.5 seconds. */
  async seesNothing(waits: Waits = {}): Promise<void> {
    await this.#perceive('sees nothing', undefined, waits, new CallSite(this.seesNothing));
  }

  #act(action: ActionName, parameters: object, site: CallSite, as?: string): Promise<unknown> {
    const step = { do: `${this.name}.${action}`, with: parameters, ...(as === undefined ? {} : { as }) };
    return this.#ask({ type: 'step', step, line: site.line }, site);
  }

  async #has(values: UserValues, waits: Waits, site: CallSite): Promise<void> {
    checkOptions('waits', waits, site, 'the second parameter');
    const { within = DEFAULT_WITHIN } = waits;
    const expect = Object.fromEntries(Object.entries(values).map(([path, value]) => [`${this.name}.${path}`, value]));
    await this.#ask({ type: 'step', step: { expect, within }, line: site.line }, site);
  }

  async #perceive(sense: Sense, user: string | undefined, waits: Waits, site: CallSite) {
    checkOptions('waits', waits, site, sense);
    const { within = DEFAULT_WITHIN } = waits;
    await this.#ask({ type: 'perceive', device: this.name, sense, user, within }, site);
  }
}
