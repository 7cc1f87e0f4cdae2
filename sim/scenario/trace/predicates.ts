/** The building blocks of evidence: functions that search a trace (evidence.ts). */
import type {
  ErrorEvent,
  HttpEvent,
  MessageEvent,
  StateEvent,
  ToldEvent,
  TraceEvent,
} from '../../../src/trace/events.ts';
import type { MachineName } from './machines.ts';

export type Trace = readonly TraceEvent[];
/**
 * A function that returns how far a moment may be from the requested one, in milliseconds. Each kind of world has
 * one.
 */
export type Tolerance = (ms: number) => number;
export type Evidence = (trace: Trace, tolerance: Tolerance) => boolean;

const isMove = (event: TraceEvent, machine: MachineName, from: string, to: string): event is StateEvent =>
  event.kind === 'state' && event.machine === machine && event.from === from && event.to === to;

/** A machine of this name makes this move. */
export const moved =
  (machine: MachineName, from: string, to: string): Evidence =>
  (trace) =>
    trace.some((event) => isMove(event, machine, from, to));

export const call = (from: string, to: string): Evidence => moved('call', from, to);

export const peer = (from: string, to: string): Evidence => moved('peer', from, to);

export const messages = (trace: Trace, direction: 'up' | 'down', cmd: string): MessageEvent[] =>
  trace.filter(
    (event) => event.kind === 'message' && event.direction === direction && event.cmd === cmd,
  ) as MessageEvent[];

export const sent =
  (cmd: string, ...keys: readonly string[]): Evidence =>
  (trace) =>
    messages(trace, 'up', cmd).some(({ payload }) => hasAll(payload, keys));

export const received =
  (cmd: string, ...keys: readonly string[]): Evidence =>
  (trace) =>
    messages(trace, 'down', cmd).some(({ payload }) => hasAll(payload, keys));

/** Returns whether the payload has a value at each of these paths. */
export function hasAll(payload: unknown, paths: readonly string[]): boolean {
  return paths.every((path) => {
    let at = payload;
    for (const key of path.split('.')) {
      if (typeof at !== 'object' || at === null || !(key in at)) return false;
      at = (at as Record<string, unknown>)[key];
    }
    return at !== undefined;
  });
}

export const requested =
  (method: string, path: RegExp): Evidence =>
  (trace) =>
    requests(trace, method, path).length > 0;

/** The device makes this move, and plays this sound at that moment. */
export const moveSounding =
  (from: string, to: string, name: string): Evidence =>
  (trace, tolerance) =>
    trace.some(
      (move) =>
        isMove(move, 'call', from, to) &&
        trace.some(
          (event) =>
            event.kind === 'sound' &&
            event.what === 'play' &&
            event.name === name &&
            event.device === move.device &&
            Math.abs(event.at - move.at) <= 10 + tolerance(0),
        ),
    );

export const raised =
  (code: number): Evidence =>
  (trace) =>
    trace.some(
      (event) => (event.kind === 'error' && event.code === code) || (event.kind === 'message' && event.error === code),
    );

export const all =
  (...parts: readonly Evidence[]): Evidence =>
  (trace, tolerance) =>
    parts.every((part) => part(trace, tolerance));

export const any =
  (...parts: readonly Evidence[]): Evidence =>
  (trace, tolerance) =>
    parts.some((part) => part(trace, tolerance));

/** The leg makes this move, and the device sends the message at the same moment. */
export const moveSending =
  (from: string, to: string, cmd: string, values: Readonly<Record<string, unknown>> = {}): Evidence =>
  (trace, tolerance) =>
    trace.some(
      (move) =>
        isMove(move, 'call', from, to) &&
        messages(trace, 'up', cmd).some(
          ({ device, at, payload }) =>
            device === move.device &&
            Math.abs(at - move.at) <= tolerance(0) &&
            Object.entries(values).every(
              ([key, value]) => (payload as Record<string, unknown> | null)?.[key] === value,
            ),
        ),
    );

/** The messages of one device are this far apart. Milliseconds. */
export const spaced =
  (cmd: string, ms: number): Evidence =>
  (trace, tolerance) => {
    const times = messages(trace, 'up', cmd);
    return times.some((one) =>
      times.some((other) => other.device === one.device && Math.abs(other.at - one.at - ms) <= tolerance(ms)),
    );
  };

/** The second move follows this long after the first on the same device. */
export const moveAfter =
  (first: readonly [string, string], second: readonly [string, string], ms: number): Evidence =>
  (trace, tolerance) =>
    trace.some(
      (one) =>
        isMove(one, 'call', ...first) &&
        trace.some(
          (other) =>
            isMove(other, 'call', ...second) &&
            other.device === one.device &&
            Math.abs(other.at - one.at - ms) <= tolerance(ms),
        ),
    );

export const notified =
  (name: string): Evidence =>
  (trace) =>
    trace.some((event) => event.kind === 'told' && event.name === name);

export const SUMMARY = /^\/v1\/direct_calls\/[^/]+\/summary$/;

/** Returns the calls of this listener on one device. */
export const noticesOf = (trace: Trace, device: string, name: string): ToldEvent[] =>
  trace.filter((event): event is ToldEvent => event.kind === 'told' && event.device === device && event.name === name);

/** One device logged an error, or a refusal, with this text. */
export const complaint =
  (words: RegExp, code?: number): Evidence =>
  (trace) =>
    trace.some(
      (event): event is ErrorEvent =>
        event.kind === 'error' && words.test(event.message) && (code === undefined || event.code === code),
    );

/** Returns the requests with this method and path. */
export const requests = (trace: Trace, method: string, path: RegExp): HttpEvent[] =>
  trace.filter((event): event is HttpEvent => {
    if (event.kind !== 'http' || event.direction !== 'up') return false;
    const [verb = '', where = ''] = event.request.split(' ');
    return verb === method && path.test(where);
  });

/** Returns the moves of one kind of machine. */
export const moves = (trace: Trace, machine: MachineName): StateEvent[] =>
  trace.filter((event): event is StateEvent => event.kind === 'state' && event.machine === machine);

/** Returns whether times follow each other at these spans. @param slack - the permitted error, in milliseconds. */
export function follow(times: readonly number[], spans: readonly number[], slack: number): boolean {
  return times.some((start) => {
    let at = start;
    return spans.every((span) => {
      const next = times.find((time) => time > at && time - at >= span - 10 && time - at <= span * (1 + slack) + 10);
      if (next !== undefined) at = next;
      return next !== undefined;
    });
  });
}

/** Returns the value at a path of a payload or body. Undefined if there is none. */
export function valueAt(payload: unknown, path: string): unknown {
  let at = payload;
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
