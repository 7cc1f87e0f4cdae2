/** The messages between a page of the browser world and its parent in Node. */
import type { PersonTimers } from '../../../../sim/scenario/actor/person.ts';
import type { Untimed } from '../../../../src/trace/events.ts';

/** The identity of the page. */
export interface PageRole {
  readonly name: string;
  readonly user: string;
  readonly websocketHost: string;
  readonly timers: PersonTimers;
  /** The number of the device among those of the scenario. The n-th has the n-th tone. */
  readonly nth: number;
  /** The names of all devices, to measure the received media. Undefined if the scenario reads none. */
  readonly measures: readonly string[] | undefined;
}

/** The states of the person of the page, by the first word of the path. */
export interface PageView {
  /** By the second word. Absent before the first call. */
  readonly call?: Readonly<Record<string, unknown>>;
  /** The values of the current room, by the second word. Absent before the first room. */
  readonly room?: Readonly<Record<string, unknown>>;
  /** Whether the last page of rooms has a `next` and a `previous` one. */
  readonly pages?: Readonly<Record<string, unknown>>;
  /** The received media of the current call, by the second word. Undefined where it is not measured. */
  readonly audio: Readonly<Record<string, unknown>>;
  readonly video: Readonly<Record<string, unknown>>;
  readonly told: readonly string[];
  /** The values of actions, in their order. A value may be filled in later, like the id of a call. */
  readonly given: readonly unknown[];
  readonly [area: string]: unknown;
}

/** A report of an event, or of a changed state. */
export interface PageNews {
  /**
   * The time of the event, milliseconds since the epoch. The report arrives later, perhaps after its effects on the
   * wire.
   */
  readonly at: number;
  readonly event?: Untimed;
  /** The message of the page, as its front receives it: the text of a frame, or method, path and body of a request. */
  readonly sent?: string;
  readonly view?: PageView;
}

/** A refusal, in the form that is sent to Node. */
export interface Refusal {
  readonly message: string;
  readonly code?: number;
  /** The action could not be started. */
  readonly isImpossible: boolean;
}

/** The immediate result of an action. */
export interface ActedInPage {
  /** The value is {@link PageView.given} of this number. */
  readonly number: number;
  readonly waits: boolean;
  readonly idle?: string;
}
