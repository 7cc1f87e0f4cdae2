/** The conversion of events to steps: waits between actions, and expectations with the time that they may take. */
import { spanText } from '../../format/duration.ts';
import type { Act, StoryEvent, FaultChange, CallTimer, DeviceObservation, CallObservation } from './story-events.ts';
import type { CallStory } from './calls.ts';
import type { Payload } from './facts.ts';
import type { RecordedUsers } from './recorded-users.ts';

/** A step as it is written, with the comment above it. */
export interface Line {
  readonly comment?: string;
  readonly step: Payload;
}

/** Events that are closer than this happen at one moment. Milliseconds. */
const PAUSE_MS = 10;
/** A value that changes again after so short a time cannot be expected. Milliseconds. */
const MOMENT_MS = 50;
/** An observation that follows later than this is a separate step. Milliseconds. */
const APART_MS = 1_500;
/** The longest wait for a channel that was refused: the library retries at growing intervals. */
const CHANNEL_BACK = '40s';
/** The possible time limits of an expectation. The first that is long enough is used. Milliseconds. */
const SPANS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000];

export interface ComposeContext {
  readonly users: RecordedUsers;
  readonly calls: readonly CallStory[];
}

/** Returns the steps of a story, in the order of its events. */
export function compose(events: readonly StoryEvent[], context: ComposeContext): Line[] {
  const sorted = events.toSorted((a, b) => a.at - b.at);
  // Before the first dial there is nothing to wait for.
  const began = sorted.find((event) => event.kind === 'act' && event.action === 'dial')?.at ?? 0;
  const composer = new Composer(context, began);
  for (const event of sorted) composer.take(event);
  return composer.finish();
}

/** The observations of one moment. */
interface Pending {
  observations: (CallObservation | DeviceObservation)[];
  at: number;
}

class Composer {
  readonly #lines: Line[] = [];
  readonly #context: ComposeContext;
  readonly #current = new CurrentCalls();
  /** The moment up to which steps exist. */
  #now: number;
  #pending: Pending | undefined;

  constructor(context: ComposeContext, began: number) {
    this.#context = context;
    this.#now = began;
  }

  take(event: StoryEvent): void {
    switch (event.kind) {
      case 'act':
        return this.#act(event);
      case 'fault':
        return this.#fault(event);
      default:
        return this.#see(event);
    }
  }

  finish(): Line[] {
    this.#flush();
    return this.#lines;
  }

  #act(act: Act): void {
    const { device, action, callId } = act;
    this.#flush();
    if (!act.crossing) this.#wait(act.at);
    const name = this.#context.users.nameOf(device);
    if (callId !== undefined && action !== 'dial') {
      const turns = this.#current.turnsTo(device, callId);
      if (turns === undefined) return;
      for (let turn = 0; turn < turns; turn += 1) this.#lines.push({ step: { do: `${name}.former` } });
    }
    if (action === 'dial' && callId !== undefined) this.#current.take(device, callId);
    const label = this.#labelOf(act);
    this.#lines.push({
      ...(act.comment === undefined ? {} : { comment: act.comment }),
      step: {
        do: `${name}.${action}`,
        ...(act.with === undefined ? {} : { with: act.with }),
        ...(action === 'dial' && act.fails === undefined ? { as: this.#nameOf(callId ?? '') } : {}),
        ...(act.fails === undefined ? {} : { fails: act.fails }),
        ...(act.refused && !act.crossing ? { waits: false } : {}),
        // In a replay this device may already know of the crossing act.
        ...(act.crossing ? { idle: true } : {}),
        ...(label === undefined ? {} : { label }),
      },
    });
  }

  #fault({ at, step, comment }: FaultChange): void {
    this.#flush();
    this.#wait(at);
    this.#lines.push({ ...(comment === '' ? {} : { comment }), step });
  }

  #see(observation: CallObservation | DeviceObservation): void {
    const pending = this.#pending;
    if (pending) {
      if (observation.at - pending.at > APART_MS) this.#flush();
      else {
        // A value that held only for a moment no longer holds when the step checks it.
        pending.observations = pending.observations.filter(
          (other) => !contradicts(other, observation) || observation.at - other.at > MOMENT_MS,
        );
        if (pending.observations.some((other) => contradicts(other, observation))) this.#flush();
      }
    }
    if (observation.kind === 'callObservation' && observation.values['state'] === 'ringing')
      this.#current.take(observation.device, observation.callId);
    this.#pending ??= { observations: [], at: observation.at };
    this.#pending.observations.push(observation);
    this.#pending.at = observation.at;
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending) return;
    const took = pending.at - this.#now;
    this.#now = Math.max(this.#now, pending.at);
    // Only the current call can be observed. For the others the wire shows their state.
    const observations = pending.observations.filter(
      (observation) =>
        observation.kind === 'deviceObservation' || this.#current.of(observation.device) === observation.callId,
    );
    const timed = observations.find(
      (observation) => observation.kind === 'callObservation' && observation.timer !== undefined,
    );
    const label = observations
      .map((observation) => this.#labelOfObservation(observation))
      .find((name) => name !== undefined);
    if (observations.length === 0) return;
    this.#lines.push({
      step: {
        expect: Object.fromEntries(observations.flatMap((observation) => this.#paths(observation))),
        ...(timed?.kind === 'callObservation' && timed.timer !== undefined
          ? this.#boundOf(timed.callId, timed.timer)
          : { within: observations.some(({ kind }) => kind === 'deviceObservation') ? CHANNEL_BACK : withinOf(took) }),
        ...(label === undefined ? {} : { label }),
      },
    });
  }

  #paths(observation: CallObservation | DeviceObservation): [string, unknown][] {
    const name = this.#context.users.nameOf(observation.device);
    const area = observation.kind === 'callObservation' ? `${name}.call` : name;
    return Object.entries(observation.values).map(([key, value]) => [`${area}.${key}`, value]);
  }

  #boundOf(callId: string, timer: CallTimer): Payload {
    if (timer === 'ring') return { at: '$timers.ring', since: `${this.#nameOf(callId)}-rang` };
    return { within: '$timers.connection', since: `${this.#nameOf(callId)}-accepted` };
  }

  /** Returns the label of a moment that a fired timer counts from. */
  #labelOf({ action, callId = '' }: Act): string | undefined {
    return action === 'accept' && this.#endedBy(callId) === 'timeout' ? `${this.#nameOf(callId)}-accepted` : undefined;
  }

  #labelOfObservation(observation: CallObservation | DeviceObservation): string | undefined {
    if (observation.kind !== 'callObservation') return undefined;
    const { callId, values } = observation;
    return values['state'] === 'dialing' && this.#endedBy(callId) === 'no_answer'
      ? `${this.#nameOf(callId)}-rang`
      : undefined;
  }

  #endedBy(callId: string): string | undefined {
    return this.#context.calls.find(({ id }) => id === callId)?.ending?.type;
  }

  #nameOf(callId: string): string {
    return callName(this.#context.calls, callId);
  }

  #wait(at: number): void {
    const pause = at - this.#now;
    this.#now = Math.max(this.#now, at);
    if (pause >= PAUSE_MS) this.#lines.push({ step: { wait: spanText(pause < 1_000 ? pause : round(pause, 10)) } });
  }
}

/** Returns the name of the call in a scenario: call, call2. */
export function callName(calls: readonly CallStory[], id: string): string {
  const index = calls.findIndex((call) => call.id === id);
  return index <= 0 ? 'call' : `call${index + 1}`;
}

/** Returns whether two observations of one device contradict each other. */
function contradicts(one: CallObservation | DeviceObservation, other: CallObservation | DeviceObservation): boolean {
  if (one.device !== other.device || one.kind !== other.kind) return false;
  if (one.kind === 'callObservation' && other.kind === 'callObservation') {
    if (one.callId !== other.callId) return true;
    if ((one.values['result'] === undefined) !== (other.values['result'] === undefined)) return true;
  }
  return Object.entries(other.values).some(
    ([key, value]) => one.values[key] !== undefined && JSON.stringify(one.values[key]) !== JSON.stringify(value),
  );
}

const round = (ms: number, to: number): number => Math.round(ms / to) * to;

/** Returns a time limit of at least twice the recorded time: another machine may be slower. */
function withinOf(took: number): string {
  return spanText(SPANS_MS.find((span) => span >= 2 * took) ?? round(2 * took, 1_000));
}

/**
 * The current call of each device. An actor acts on the last call that it dialed or that rang; `former` selects the
 * one before.
 */
class CurrentCalls {
  readonly #calls = new Map<string, string[]>();

  /** Records a call that was dialed or rings. */
  take(device: string, callId: string): void {
    this.#calls.set(device, [...(this.#calls.get(device) ?? []), callId]);
  }

  of(device: string): string | undefined {
    return this.#calls.get(device)?.at(-1);
  }

  /**
   * Makes a call the current one. Returns how many `former` actions it takes. Undefined if the device never had it.
   */
  turnsTo(device: string, callId: string): number | undefined {
    let calls = this.#calls.get(device) ?? [];
    if (!calls.includes(callId)) return undefined;
    let turns = 0;
    for (; calls.at(-1) !== callId; turns += 1) calls = [calls.at(-1) as string, ...calls.slice(0, -1)];
    this.#calls.set(device, calls);
    return turns;
  }
}
