import type { Fault } from '../format/faults.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../trace/trace.ts';

/** How long a call rings, and may take to connect: spans of time. */
export interface ScenarioTimers {
  readonly ring?: unknown;
  readonly connection?: unknown;
}

/** What a fault strikes of the messages it is about: always, where nothing is said. */
export interface Strikes {
  /** The first so many. */
  readonly first?: number;
  /** The n-th alone. */
  readonly nth?: number;
  /** So many, and then no more. */
  readonly times?: number;
  /** Each with this probability. A fault that is about no messages comes about with it, or not at all. */
  readonly p?: number;
}

/** An action that cannot be tried at all: there is none of that name, or nothing to do it with. */
export class ActionImpossible extends Error {}

/** Something that the scenario asks for and that there is not in this world: the case is skipped, and says why. */
export class NotInThisWorld extends Error {}

/** What an action of an actor came to. */
export interface Acted {
  /** What the step keeps with `as`. */
  readonly value?: unknown;
  /** Settles when the action is over; absent where it was over at once. */
  readonly done?: Promise<unknown>;
  /** Whether the step waits for that also where it is not said to fail. */
  readonly waits?: boolean;
  /** Why the action had no effect, in words; absent where it had one. */
  readonly idle?: string;
}

/**
 * Where a scenario is run: people with devices, an exchange, a wire that can be broken, and a clock. The same scenario
 * runs in each world; how exact its moments are is the world's.
 */
export interface ScenarioWorld {
  /** Milliseconds since the run began. */
  readonly now: number;
  /**
   * The moment the last wait came to its end: of what made its condition true. On the wall clock that is a little before
   * it is noticed, and what happened in between belongs to the next step.
   */
  readonly moment: number;
  /** When what is to come is due, milliseconds from now, the next first; absent where the world cannot tell. */
  readonly pending?: readonly number[];
  /** What happened so far, in order. */
  readonly trace: readonly TraceEvent[];
  /** How far a moment may be from the one that is asked for, milliseconds. */
  tolerance(ms: number): number;
  /** Lets `ms` pass, or less: until the condition holds, asked whenever something happened. Returns whether it held. */
  until(condition: () => boolean, ms: number): Promise<boolean>;
  /** What is to be seen under a path: `alice.call.state`, `server.calls`. */
  read(path: string): unknown;
  /**
   * An actor does something; a promise where the actor is elsewhere.
   *
   * @throws the error of a refusal that comes at once.
   */
  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted>;
  /**
   * Breaks something. Returns the mending, which is done once.
   *
   * @param name what the step calls it: its chances have a stream of random numbers of their own, by this name.
   */
  break(fault: Fault, strikes: Strikes, name: string): () => void;
  note(event: Untimed<StepEvent | FaultEvent>): void;
  /** Ends every call and signs everybody out. Returns what was left over, in words. */
  close(): Promise<readonly string[]>;
}
