/**
 * The world of a test: the real world of scenarios, whose clock can be moved, and whose users may also be pages. A test
 * asks for one step at a time.
 */
import { spanOf, spanText } from '../../../sim/format/duration.ts';
import type { Place } from '../../../sim/format/source.ts';
import { matchesPattern, patternText } from '../../../sim/scenario/run/event-pattern.ts';
import { readCall } from '../../../sim/scenario/actor/read-call.ts';
import { StepFailure, type StepOf } from '../../../sim/scenario/run/step.ts';
import { faultStep } from '../../../sim/scenario/run/steps/fault.ts';
import { nearMisses } from '../../../sim/scenario/run/steps/see.ts';
import { Story } from '../../../sim/scenario/run/story.ts';
import { ActionImpossible, type Acted, type Parameters } from '../../../sim/scenario/run/world.ts';
import { WorldAround } from '../../../sim/scenario/run/world-around.ts';
import { knownInstead } from '../../../sim/format/near-word.ts';
import { ACTION_PARAMETERS } from '../../../sim/scenario/format/actions.ts';
import { deviceNames } from '../../../sim/scenario/format/read-scenario.ts';
import type { Scenario } from '../../../sim/scenario/format/tree.ts';
import { MACHINES } from '../../../sim/scenario/trace/machines.ts';
import { maskedTrace } from '../../../sim/scenario/trace/masked-trace.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import type { DirectCall } from '../../../src/calls/direct-call/direct-call.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { ladderOf } from '../../../src/trace/picture/ladder.ts';
import { svgOf } from '../../../src/trace/picture/ladder-svg.ts';
import { ladderText } from '../../../src/trace/picture/ladder-text.ts';
import { createMovableClock, type MovableClock } from '../../worlds/real/movable-clock.ts';
import { openParts, type Parts, RealWorld } from '../../worlds/real/real-world.ts';
import type { ClockMove, KitAnswers, KitCommand, KitUsers, LadderFiles, PageAddress, Sense } from '../kit-messages.ts';
import { advanceClock } from './advance-clock.ts';
import { lasts } from './lasts.ts';
import { breakableBoth, openPageDevice, type PageDevice } from './page-device.ts';
import { type Perceived, perceptionOf, takesPart } from './perceive.ts';
import { readActors, readStep, WrongUse } from './read-step.ts';
import { SignIns } from './sign-ins.ts';
import { type CallAnswer, type RungCall, StandingAnswers } from './standing-answers.ts';
import { takeTestStep, waitingStep } from './take-test-step.ts';

/** How long nothing must be perceived before it counts as nothing. A meter needs two spans. Milliseconds. */
const NOTHING_MS = 1_500;

/** The name of the listener of the kit in each library. */
const LISTENER = 'kit';

/** The place of a step that the test does not write. */
const NOWHERE: Place = { file: 'test', line: 1, column: 1 };

type Asked<T extends KitCommand['type']> = Extract<KitCommand, { type: T }>;

/** Opens the world of a test. No user is signed in: each one signs in for the first thing that the user does. */
export async function openKitWorld({ users, seed, origins }: Asked<'open'>): Promise<KitWorld> {
  const actors = readActors(offline(users));
  const clock = createMovableClock(nodeClock);
  const parts = await openParts(
    { actors, steps: [] },
    { seed, timers: {}, timeScale: 1, exchange: 'restartable', clock: nodeClock, innerClock: clock },
  );
  const { faults, story, exchange, devices } = parts;
  const signIns = new SignIns();
  /** The origins whose pages were refused. */
  const foreign = new Set<string>();
  const opened = [...devices.keys()].map(async (device) => {
    const page = await openPageDevice({
      device,
      exchange: exchange.port,
      origins,
      wire: faults,
      onFirstUse: () => {
        if (signIns.has(device)) story.note({ kind: 'error', device, message: mixtureAt(device) });
      },
      onForeign: (origin) => {
        const message = `a page of ${origin} was refused: openWorld({ origins: ['${origin}'] }) permits it`;
        if (!foreign.has(origin)) story.note({ kind: 'error', device, message });
        foreign.add(origin);
      },
      onChannel: (what, code) => story.note({ kind: 'socket', device, what, ...(code === undefined ? {} : { code }) }),
    });
    return [device, page] as const;
  });
  return new KitWorld({ ...parts, clock, pages: new Map(await Promise.all(opened)), users: actors, signIns });
}

/** @throws WrongUse for a fault of several nodes: the exchange of a test has one. */
function refuseNodes(written: object): void {
  const { fault } = written as { readonly fault?: { readonly kind?: unknown } };
  if (fault?.kind === 'node' || fault?.kind === 'state' || fault?.kind === 'bus')
    throw new WrongUse(
      `a fault of kind ${fault.kind} needs several nodes, and the exchange of a test has one: scenarios have nodes`,
    );
}

const offline = (users: KitUsers) =>
  Object.fromEntries(Object.entries(users).map(([user, { devices }]) => [user, { user, devices, online: false }]));

interface KitParts extends Parts {
  readonly clock: MovableClock;
  readonly pages: ReadonlyMap<string, PageDevice>;
  readonly users: Scenario['actors'];
  readonly signIns: SignIns;
}

/** Returns the error of a page that uses the addresses of a headless device. */
const mixtureAt = (device: string): string =>
  `${device} is headless, and a page uses the addresses of ${device} too. Give the user a second device`;

export class KitWorld extends WorldAround {
  readonly #parts: KitParts;
  readonly #answers: StandingAnswers;
  /** The functions that end the faults of the test, by their names. */
  readonly #mendings = new Map<string, () => void>();
  #steps = 0;

  constructor(parts: KitParts) {
    const pageOf = (name: string) => {
      const page = parts.pages.get(name);
      if (!page) throw new Error(`there is no device ${name}`);
      return page;
    };
    super(new RealWorld({ ...parts, breakable: (name, device) => breakableBoth(name, device, pageOf(name)) }));
    this.#parts = parts;
    this.#answers = new StandingAnswers(parts.clock, (...answered) => this.#answerNow(...answered));
    for (const { name, client } of parts.actors.all) client.addListener(LISTENER, { onRinging: this.#rang(name) });
  }

  /** The addresses of the page of each device. */
  get addresses(): Readonly<Record<string, PageAddress>> {
    return Object.fromEntries([...this.#parts.pages].map(([name, { address }]) => [name, address]));
  }

  /** Performs an action of a user, who signs in first. */
  override async act(actor: string, action: string, parameters: Parameters): Promise<Acted> {
    if (this.#parts.devices.has(actor)) {
      if (action === 'signIn' || action === 'signOut') this.#refusePage(actor);
      else await this.#ready(actor);
    }
    // A room without its engine would wait for it in the middle of a test.
    if (/room|enter/i.test(action)) await import('../../../sim/media/sfu/sfu.ts');
    const acted = await super.act(actor, action, parameters);
    if (action === 'signIn' && acted.done) void this.#parts.signIns.add(actor, acted.done).catch(() => undefined);
    if (action === 'signOut') this.#parts.signIns.remove(actor);
    return acted;
  }

  /** Takes a step of a scenario. Returns the value of an action. */
  async step({ step: written, line }: Asked<'step'>): Promise<unknown> {
    this.#refuseMixture();
    const place: Place = { file: 'test', line: 1, ...line, column: 1 };
    refuseNodes(written);
    const step = readStep(this.#parts.users, waitingStep(written), place);
    if (step.verb === 'see') return this.#see(step);
    const story = new Story(this, {});
    story.stepEnded(undefined, this.now);
    if (step.verb === 'fault') return this.#fault(step, story);
    this.#steps += 1;
    await takeTestStep(step, story, this.#steps);
    const value = 'as' in step && step.as !== undefined ? story.scope.values[step.as] : undefined;
    return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  }

  async answer({ device, how, after, parameters }: Asked<'answer'>): Promise<void> {
    this.#refuseMixture();
    const known = ['after', ...Object.keys(ACTION_PARAMETERS[how].entries)];
    const odd = Object.keys(parameters).find((key) => !known.includes(key));
    if (odd !== undefined) throw new WrongUse(`${odd} is not known here${knownInstead(odd, known)}`);
    readStep(this.#parts.users, { do: `${device}.${how}`, with: parameters }, NOWHERE);
    this.#deviceOf(device);
    const answer = { how, afterMs: spanIn('after', after), parameters };
    await this.#ready(device);
    this.#answers.add(device, answer);
  }

  /** Waits until a user perceives another one, or nothing. */
  async perceive({ device, sense, user, within }: Asked<'perceive'>): Promise<void> {
    this.#refuseMixture();
    const who = this.#deviceOf(device);
    const ms = spanIn('within', within);
    const other = user === undefined ? undefined : this.#perceived(user);
    if (!takesPart(who) && !this.#answers.has(device))
      throw new WrongUse(`${device} is not in a call: ${sense} waits for the media of a call or a room`);
    const now = () => perceptionOf(who, sense, other);
    const isSo = () => now().isSo;
    const limit = ms + this.tolerance(ms);
    const came = other ? await this.until(isSo, limit) : await lasts(this, isSo, { ms: limit, forMs: NOTHING_MS });
    if (!came) throw new WrongUse(`${device} ${wordsOf(sense, user)} within ${within}: ${now().found}`);
  }

  /** Returns the value at a path. @throws WrongUse for a path that does not exist. */
  value(path: string): unknown {
    readStep(this.#parts.users, { expect: { [path]: 'any' } }, NOWHERE);
    return this.read(path);
  }

  /** Restarts the exchange. Resolves when it is ready again. */
  async restart(): Promise<void> {
    const step = readStep(this.#parts.users, { fault: { kind: 'server', how: 'restart' } }, NOWHERE);
    if (step.verb !== 'fault') throw new WrongUse('a fault is expected');
    if (this.#parts.exchange.isStopped)
      throw new WrongUse('the exchange is stopped by a fault of kind server, which must end first');
    this.clear({ type: 'clear', fault: this.#fault(step, new Story(this, {})) });
    await this.#parts.exchange.ready;
  }

  /** Ends a fault of the test. */
  clear({ fault }: Asked<'clear'>): void {
    this.#mendings.get(fault)?.();
  }

  messages({ pattern }: Asked<'messages'>): TraceEvent[] {
    const kinds = ['cmd', 'http', 'ws'].some((kind) => pattern[kind] !== undefined);
    const see = this.#pattern(kinds ? pattern : { ...pattern, cmd: 'dial' });
    const isIn = (event: TraceEvent) =>
      kinds
        ? matchesPattern(event, see, {})
        : (event.kind === 'message' || event.kind === 'http') &&
          matchesPattern(
            event,
            { ...see, ...(event.kind === 'message' ? { cmd: event.cmd } : { cmd: undefined, http: event.request }) },
            {},
          );
    return maskedTrace(this.trace.filter(isIn));
  }

  /** @throws WrongUse for a span that the clock cannot be moved by. */
  beginAdvance({ span, longest }: Asked<'begin-advance'>): ClockMove {
    const wholeMs = spanIn('advance', span);
    if (wholeMs === 0 || wholeMs > spanIn('advance', longest))
      throw new WrongUse(`advance must be longer than 0 and at most ${longest}; found ${span}`);
    return { until: this.#parts.clock.now() + wholeMs, wholeMs };
  }

  /** Moves the clock of the exchange, of the headless users and of the faults. */
  async advance({ move: { until, wholeMs }, most }: Asked<'advance'>): Promise<KitAnswers['advance']> {
    const { clock, story } = this.#parts;
    const traffic = () => story.events.length;
    const target = Math.min(until, clock.now() + most);
    const moved = await advanceClock(target, wholeMs, { clock, machine: nodeClock, traffic });
    return { moved, left: Math.max(0, until - clock.now()) };
  }

  ladder({ title }: Asked<'ladder'>): LadderFiles {
    const ladder = ladderOf(maskedTrace(this.trace), MACHINES);
    return { text: ladderText(ladder), svg: svgOf(ladder, { title }) };
  }

  override async close(): Promise<readonly string[]> {
    await Promise.all([...this.#parts.pages.values()].map((page) => page.close()));
    return super.close();
  }

  #ready(device: string): Promise<void> {
    const { signIns } = this.#parts;
    const known = signIns.of(device);
    if (known) return known;
    this.#refusePage(device);
    return signIns.add(device, this.#deviceOf(device).signIn());
  }

  /** @throws ActionImpossible for a user who is a page: the test drives it. */
  #refusePage(device: string): void {
    if (!this.#parts.signIns.has(device) && this.#parts.pages.get(device)?.isUsed)
      throw new ActionImpossible(`${device} is a page, which the test drives itself. Give the user a second device`);
  }

  /** @throws WrongUse when a page has used the addresses of a device that had signed in without one. */
  #refuseMixture(): void {
    const { pages, signIns } = this.#parts;
    for (const [device, { isUsed }] of pages) if (isUsed && signIns.has(device)) throw new WrongUse(mixtureAt(device));
  }

  #deviceOf(name: string) {
    const actor = this.#parts.actors.all.find((one) => one.name === name);
    if (actor) return actor;
    const device = deviceNames(this.#parts.users).find((one) => one.startsWith(`${name}.`)) ?? name;
    throw new WrongUse(`${name} has several devices: name one, like ${device}`);
  }

  #perceived(user: string): Perceived {
    const devices = this.#parts.actors.devicesOf(user).map(({ name }) => name);
    if (devices.length === 0)
      throw new WrongUse(`there is no user ${user}${knownInstead(user, deviceNames(this.#parts.users))}`);
    // A call is with a user, and not with a device.
    return {
      user: user.split('.')[0] ?? user,
      devices,
      hasPage: devices.some((device) => this.#parts.pages.get(device)?.isUsed),
    };
  }

  /** Returns the listener of the calls that ring at a device. */
  #rang(device: string) {
    return (call: DirectCall) =>
      this.#answers.rang(device, {
        id: call.callId,
        get rings() {
          return readCall(call, 'state') === 'ringing';
        },
      });
  }

  #answerNow(device: string, call: RungCall, { how, parameters }: CallAnswer): void {
    const failed = (message: string) => this.#parts.story.note({ kind: 'error', device, message });
    const report = (error: unknown) => failed(error instanceof Error ? error.message : String(error));
    const present = this.#parts.actors.read([...device.split('.'), 'call', 'id']);
    if (present !== call.id) return failed(`${how}: another call has begun since this one rang`);
    void (async () => {
      const { done, idle } = await super.act(device, how, parameters);
      if (idle !== undefined) failed(`${how}: ${idle}`);
      await done;
    })().catch(report);
  }

  #fault(step: StepOf<'fault'>, story: Story): string {
    this.#steps += 1;
    const name = `fault ${this.#steps}`;
    const { until, ...rest } = step;
    faultStep({ ...rest, as: name }, story);
    const mend = () => void story.faults.clear(name);
    this.#mendings.set(name, mend);
    if (until !== undefined) this.#parts.clock.after(spanIn('until', until), mend);
    return name;
  }

  /** Waits until a message was seen as often as wanted, before or now. */
  async #see(step: StepOf<'see'>): Promise<void> {
    const ms = spanIn('within', step.within);
    const wanted = Number(step.times ?? 1);
    const seen = () => this.trace.filter((event) => matchesPattern(event, step.see, {})).length;
    if (await this.until(() => seen() >= wanted, ms + this.tolerance(ms))) return;
    const often = wanted === 1 ? 'was not seen' : `was seen ${seen()} times, not ${wanted},`;
    throw new StepFailure(
      step.place,
      `${patternText(step.see, {})} ${often} within ${spanText(ms)}${nearMisses(step.see, this)}`,
    );
  }

  #pattern(pattern: object) {
    const step = readStep(this.#parts.users, { see: pattern }, NOWHERE);
    if (step.verb !== 'see') throw new WrongUse('a pattern of messages is expected');
    return step.see;
  }
}

const wordsOf = (sense: Sense, user = ''): string =>
  ({
    hears: `did not hear ${user}`,
    sees: `did not see ${user}`,
    'hears nothing': 'still heard something',
    'sees nothing': 'still saw something',
  })[sense];

/** Returns the milliseconds of a span. @throws WrongUse when it is none. */
function spanIn(what: string, span: unknown): number {
  const ms = spanOf(span);
  if (ms === undefined)
    throw new WrongUse(`${what} must be a span of time like 500ms, 2s or 1m; found ${JSON.stringify(span)}`);
  return ms;
}
