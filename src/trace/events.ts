/**
 * The events of a run, in order: messages, states of calls and connections, events of hosts, faults. Each line is an
 * event (NDJSON). The sdp is readable; secrets and addresses are masked. The same seed gives the same bytes.
 */

interface Happened {
  /** Milliseconds since the run began. */
  readonly at: number;
}

/** A command, reply or event on a realtime channel. */
export interface MessageEvent extends Happened {
  readonly kind: 'message';
  readonly device: string;
  /** `up` is from the device to the exchange. */
  readonly direction: 'up' | 'down';
  readonly cmd: string;
  readonly payload: unknown;
  /** The code of a refusal. */
  readonly error?: number;
  /** What a fault did to the message. */
  readonly fate?: string;
  /** The node of the exchange at the other end. Absent with one node. */
  readonly node?: string;
}

/** A request, or its answer. */
export interface HttpEvent extends Happened {
  readonly kind: 'http';
  readonly device: string;
  readonly direction: 'up' | 'down';
  /** Method and path. */
  readonly request: string;
  /** The status of an answer. Absent for a request. */
  readonly status?: number;
  readonly body: unknown;
  readonly fate?: string;
  /** The node that answered. Absent for a request, and with one node. */
  readonly node?: string;
}

export interface SocketEvent extends Happened {
  readonly kind: 'socket';
  readonly device: string;
  readonly what: 'open' | 'close';
  readonly code?: number;
  /** The HTTP status of the exchange's refusal. */
  readonly status?: number;
}

/** The move of a state machine. */
export interface StateEvent extends Happened {
  readonly kind: 'state';
  readonly device: string;
  /** The name of the machine, for example `call` (machines.ts). */
  readonly machine: string;
  /** The id of the machine, if a device has several of its kind. */
  readonly id?: string;
  readonly from: string;
  readonly to: string;
}

/** The call of a host's listener, by its name. */
export interface ToldEvent extends Happened {
  readonly kind: 'told';
  readonly device: string;
  readonly name: string;
  /** The id of the remote participant of a room that the event is about. Absent for other events. */
  readonly about?: string;
}

export interface SoundEvent extends Happened {
  readonly kind: 'sound';
  readonly device: string;
  readonly what: 'play' | 'stop';
  readonly name: string;
}

/** An error or warning in the library's log, or a refusal to its host. */
export interface ErrorEvent extends Happened {
  readonly kind: 'error';
  readonly device: string;
  readonly code?: number;
  readonly message: string;
}

export interface FaultEvent extends Happened {
  readonly kind: 'fault';
  readonly what: string;
  readonly on: boolean;
}

/** The end of a step of the scenario. */
export interface StepEvent extends Happened {
  readonly kind: 'step';
  /** The place of the step: file:line. */
  readonly place: string;
  readonly text: string;
}

export type TraceEvent =
  | MessageEvent
  | HttpEvent
  | SocketEvent
  | StateEvent
  | ToldEvent
  | SoundEvent
  | ErrorEvent
  | FaultEvent
  | StepEvent;

/** An event before it has a time. */
export type Untimed<E extends TraceEvent = TraceEvent> = E extends TraceEvent ? Omit<E, 'at'> : never;

/** The first line of a stored trace: what a replay of the case needs. It is no event, and is not compared. */
export interface TraceRun {
  readonly kind: 'run';
  readonly scenario: string;
  /** The case's values in words. Absent if the scenario has no cases. */
  readonly case?: string;
  readonly file: string;
  readonly seed: number;
  readonly world: string;
  /** The version of ringback. */
  readonly version: string;
  /** Absent from older traces. */
  readonly timers?: TimerLengths;
}

/** The time until each timer fires, by its name. Milliseconds. */
export type TimerLengths = Readonly<Record<string, number>>;
