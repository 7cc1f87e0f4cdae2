import type { Selection } from '../../faults/selection.ts';
import type { Fault } from '../../faults/vocabulary.ts';
import type { FaultEvent, StepEvent, TraceEvent, Untimed } from '../../../src/trace/events.ts';

/** How long a call rings, and how long it may take to connect: spans of time. */
export interface ScenarioTimers {
  readonly ring?: unknown;
  readonly connection?: unknown;
}

/** The error of an action that cannot be tried: no action has that name, or its object is missing. */
export class ActionImpossible extends Error {}

/** The error of a request that this kind of world does not support: the case is skipped, with the reason. */
export class NotInThisWorld extends Error {}

/** The parameters of an action, from its step. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The outcome of an action. */
export interface Acted {
  /** The value that the step stores with `as`. */
  readonly value?: unknown;
  /** Settles when the action is over. Absent if it was over at once. */
  readonly done?: Promise<unknown>;
  /** Whether the step waits for it even if no failure is expected. */
  readonly waits?: boolean;
  /** Why the action had no effect, in words. Absent if it had one. */
  readonly idle?: string;
}

/**
 * A world that runs a scenario: users with devices, an exchange, a wire that can fail, and a clock. The same scenario
 * runs in each kind of world. The precision of moments depends on the kind.
 */
export interface ScenarioWorld {
  /** Milliseconds since the run began. */
  readonly now: number;
  /**
   * The moment at which the last wait ended: that of the event that made its condition true. On the wall clock this
   * is slightly before the runner notices it. What happened in between belongs to the next step.
   */
  readonly moment: number;
  /** When pending timers are due, in milliseconds from now, the next first. Absent if the world cannot know. */
  readonly pending?: readonly number[];
  /** The events so far, in order. */
  readonly trace: readonly TraceEvent[];
  /** Returns how far a moment may be from the requested one. Milliseconds. */
  tolerance(ms: number): number;
  /**
   * Lets `ms` milliseconds pass, or less: until the condition holds, which is checked after every event. Returns
   * whether it held.
   */
  until(condition: () => boolean, ms: number): Promise<boolean>;
  /** Returns the value at a path: `alice.call.state`, `server.calls`. */
  read(path: string): unknown;
  /**
   * Performs an action of an actor. Returns a promise if the actor is in another process.
   * @throws the error of an immediate refusal.
   */
  act(actor: string, action: string, parameters: Readonly<Record<string, unknown>>): Acted | Promise<Acted>;
  /**
   * Injects a fault. Returns the function that ends it, which is called once.
   * @param name - the name in the step: it selects a separate stream of random numbers.
   */
  inject(fault: Fault, selection: Selection, name: string): () => void;
  note(event: Untimed<StepEvent | FaultEvent>): void;
  /** Ends every call and signs every user out. Returns what was left over, in words. */
  close(): Promise<readonly string[]>;
}
