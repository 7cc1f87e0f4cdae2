/** The IPC messages between a test and the process that holds its worlds. Both have the same version. */
import type { TraceEvent } from '../../src/trace/events.ts';

/** The users of a world by name, with the devices of those who have several. */
export type KitUsers = Readonly<Record<string, { readonly devices?: readonly string[] | undefined }>>;

/** The addresses at which the page of a device reaches the exchange of its world. */
export interface PageAddress {
  /** The application id, for `init`. */
  readonly appId: string;
  /** The address of requests, for `init`. */
  readonly apiUrl: string;
  /** The address of the channel, for `init`. */
  readonly wsUrl: string;
}

/** A sense of a user, and whether it perceives something. */
export type Sense = 'hears' | 'hears nothing' | 'sees' | 'sees nothing';

/** A move of the clock of a world. */
export interface ClockMove {
  /** The moment at which the move ends, on the clock of the world. Milliseconds. */
  readonly until: number;
  /** The whole span, of which a part may be over. Milliseconds. */
  readonly wholeMs: number;
}

/** The line of a test. */
export interface KitLine {
  readonly file: string;
  readonly line: number;
}

/** The commands of a test to the process. */
export type KitCommand =
  | {
      readonly type: 'open';
      readonly users: KitUsers;
      readonly seed: number;
      readonly origins: readonly string[] | undefined;
    }
  /** A step of a scenario. `within` counts from now, and `see` also counts what was seen before. */
  | { readonly type: 'step'; readonly step: Readonly<Record<string, unknown>>; readonly line: KitLine | undefined }
  /** Accepts or declines the next call that rings, or the one that rings now. Resolves when the user is reachable. */
  | {
      readonly type: 'answer';
      readonly device: string;
      readonly how: 'accept' | 'decline';
      readonly after: string;
      readonly parameters: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'perceive';
      readonly device: string;
      readonly sense: Sense;
      /** The other user. Undefined for a sense of nothing. */
      readonly user: string | undefined;
      readonly within: string;
    }
  | { readonly type: 'read'; readonly path: string }
  | { readonly type: 'clear'; readonly fault: string }
  | { readonly type: 'messages'; readonly pattern: Readonly<Record<string, unknown>> }
  /** Begins to move the clock. */
  | { readonly type: 'begin-advance'; readonly span: string; readonly longest: string }
  /** Moves the clock towards a moment, by `most` milliseconds at most. */
  | { readonly type: 'advance'; readonly move: ClockMove; readonly most: number }
  /** Restarts the exchange. Resolves when it is ready again. */
  | { readonly type: 'restart' }
  | { readonly type: 'ladder'; readonly title: string }
  | { readonly type: 'close' };

/** The answers by the type of the command. */
export interface KitAnswers {
  readonly open: Readonly<Record<string, PageAddress>>;
  /** The value of the action, for `createRoom`: its id. */
  readonly step: unknown;
  readonly answer: void;
  readonly perceive: void;
  readonly read: unknown;
  readonly clear: void;
  readonly messages: readonly TraceEvent[];
  readonly 'begin-advance': ClockMove;
  /** By how much the clock was moved, and how much is left. Milliseconds. */
  readonly advance: { readonly moved: number; readonly left: number };
  readonly restart: void;
  readonly ladder: LadderFiles;
  readonly close: void;
}

/** The ladder of a world: its messages in order, with the states of its users. */
export interface LadderFiles {
  readonly text: string;
  readonly svg: string;
}

/** A command to the process. */
export interface KitRequest {
  readonly id: number;
  /** The number of the world, which the test chooses. */
  readonly world: number;
  readonly command: KitCommand;
}

/** The answer of the process. */
export type KitReply =
  | { readonly type: 'ready' }
  | { readonly type: 'done'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly code?: number };
