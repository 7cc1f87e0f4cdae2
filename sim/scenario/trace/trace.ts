/**
 * What happened in a run, in order: the wire, the states of every call and connection, what hosts were told, the faults.
 * One event a line (NDJSON), sdp readable, secrets and addresses masked. The same seed gives the same bytes.
 */
import type { CallTimer } from '../../../src/calls/direct-call/table.ts';
import { maskValue } from '../../exchange/logging/mask.ts';

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
  /** What a fault made of it. */
  readonly fate?: string;
}

/** A request, or its answer. */
export interface HttpEvent extends Happened {
  readonly kind: 'http';
  readonly device: string;
  readonly direction: 'up' | 'down';
  /** Method and path. */
  readonly request: string;
  /** Of an answer. */
  readonly status?: number;
  readonly body: unknown;
  readonly fate?: string;
}

export interface SocketEvent extends Happened {
  readonly kind: 'socket';
  readonly device: string;
  readonly what: 'open' | 'close';
  readonly code?: number;
  /** The HTTP status with which the exchange refused it. */
  readonly status?: number;
}

/** A state machine moved. */
export interface StateEvent extends Happened {
  readonly kind: 'state';
  readonly device: string;
  readonly machine: 'call' | 'peer';
  readonly from: string;
  readonly to: string;
}

/** The host was told something, by the name of its listener. */
export interface ToldEvent extends Happened {
  readonly kind: 'told';
  readonly device: string;
  readonly name: string;
}

export interface SoundEvent extends Happened {
  readonly kind: 'sound';
  readonly device: string;
  readonly what: 'play' | 'stop';
  readonly name: string;
}

/** The library logged something as an error or a warning, or refused its host. */
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

/** A step of the scenario ended. */
export interface StepEvent extends Happened {
  readonly kind: 'step';
  /** file:line */
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

/** An event before it has a moment. */
export type Untimed<E extends TraceEvent = TraceEvent> = E extends TraceEvent ? Omit<E, 'at'> : never;

/** The first line of a kept trace: what it takes to run the case again. It is no event, and no part of a comparison. */
export interface TraceRun {
  readonly kind: 'run';
  readonly scenario: string;
  /** The case's values in words; absent where the scenario has none. */
  readonly case?: string;
  readonly file: string;
  readonly seed: number;
  readonly world: string;
  /** Of ringback. */
  readonly version: string;
  /** Absent from traces of before it was kept. */
  readonly timers?: TimerLengths;
}

/** How long each timer of a call takes to fire, milliseconds. */
export type TimerLengths = Readonly<Record<CallTimer, number>>;

/** One line of the file: masked, its keys in the order they were written. */
export const traceLine = (event: TraceEvent | TraceRun): string => JSON.stringify(maskValue(event));

/** The events as their lines have them: without secrets and addresses. What is masked already stays as it is. */
export const maskedTrace = (trace: readonly TraceEvent[]): TraceEvent[] =>
  trace.map((event) => maskValue(event) as TraceEvent);
