/** What a page of the browser world and its parent in Node say to each other. */
import type { PersonTimers } from '../../../../sim/scenario/actor/person.ts';
import type { Untimed } from '../../../../sim/scenario/trace/trace.ts';

/** Who the page is. */
export interface PageRole {
  readonly name: string;
  readonly user: string;
  readonly websocketHost: string;
  readonly timers: PersonTimers;
}

/** What is to be seen of the page's person, by the first word of its path. */
export interface PageView {
  /** By the second word; absent where there was no call yet. */
  readonly call?: Readonly<Record<string, unknown>>;
  readonly told: readonly string[];
  /** What actions gave, in the order of the actions: it may be filled in later, as the id of a call is. */
  readonly given: readonly unknown[];
  readonly [area: string]: unknown;
}

/** Something happened, or something is to be seen that was not. */
export interface PageNews {
  /** When, milliseconds since the epoch: word of it takes its time, and what it led to on the wire may be noted before. */
  readonly at: number;
  readonly event?: Untimed;
  /** What the page sends, as its front gets it: the text of a frame; of a request its method, path and body. */
  readonly sent?: string;
  readonly view?: PageView;
}

/** A refusal, as it crosses to Node. */
export interface Refusal {
  readonly message: string;
  readonly code?: number;
  /** The action could not be tried at all. */
  readonly isImpossible: boolean;
}

/** What an action came to at once. */
export interface ActedInPage {
  /** What is given is {@link PageView.given} of this number. */
  readonly number: number;
  readonly waits: boolean;
  readonly idle?: string;
}
