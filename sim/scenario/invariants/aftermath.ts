/** The outcome of a played story, and the invariants of every kind of story. */
import { TIMES } from '../../../src/protocol/limits.ts';
import { spanText } from '../../format/duration.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import type { Promised } from './promises.ts';

/**
 * The outcome of a scenario: its events, and the observable values after all faults are cleared and time has passed.
 */
export interface Aftermath {
  readonly trace: readonly TraceEvent[];
  /** The names of the devices: alice, bob.phone. */
  readonly devices: readonly string[];
  readonly promises: readonly Promised[];
  read(path: string): unknown;
  /** What the world had left over when every user had signed out. */
  readonly leftovers: readonly string[];
}

export interface Violation {
  /** The id of the invariant. */
  readonly id: string;
  readonly message: string;
}

export type Invariant = (after: Aftermath) => string | undefined;

/** Returns the events of one kind and one device. */
export const of = <K extends TraceEvent['kind']>({ trace }: Aftermath, kind: K, device: string) =>
  trace.filter(
    (event): event is Extract<TraceEvent, { kind: K }> =>
      event.kind === kind && 'device' in event && event.device === device,
  );

/** Returns the first message of a check of each device. Undefined when every device passes. */
export const firstOf = (after: Aftermath, check: (device: string) => string | undefined): string | undefined => {
  for (const device of after.devices) {
    const found = check(device);
    if (found !== undefined) return `${device}: ${found}`;
  }
  return undefined;
};

/** Returns whether a device slept. Its timers end after the sleep, which may be later than their limits. */
export const hasSlept = ({ trace }: Aftermath, device: string): boolean =>
  trace.some((event) => event.kind === 'fault' && event.what.startsWith('sleep') && event.what.includes(device));

/** The actions of several requests, one after the other, and their number. */
const REQUESTS_OF: Readonly<Record<string, number>> = { enter: 2 };

/**
 * Returns the longest time until the promise of an action settles: the request, and for a dial also the ring.
 * Milliseconds.
 */
const settlesWithin = (action: string): number =>
  TIMES.requestTimeoutMs * (REQUESTS_OF[action] ?? 1) + (action === 'dial' ? TIMES.ringingTimeoutMs : 0);

const COMMON: Readonly<Record<string, Invariant>> = {
  /**
   * No machine moves to the state that it is in. An event that a state does not allow is logged (PC-24), and is no
   * fault.
   */
  I4: (after) =>
    firstOf(
      after,
      (device) => of(after, 'error', device).find(({ message }) => message.includes('same state'))?.message,
    ),
  /** Every promise settles, and within its limit unless the device slept. */
  I5: (after) => {
    for (const { device, action, atMs, settledMs } of after.promises) {
      if (settledMs === undefined) return `${device}: ${action} never settled`;
      if (settledMs - atMs > settlesWithin(action) && !hasSlept(after, device))
        return `${device}: ${action} settled after ${spanText(settledMs - atMs)}`;
    }
    return undefined;
  },
  /** Nothing is left when every user has signed out. */
  I6: ({ leftovers }) => (leftovers.length > 0 ? leftovers.join('; ') : undefined),
};

/** Returns the invariants that a story breaks: those of its kind, and those of every kind. */
export function violationsOf(after: Aftermath, own: Readonly<Record<string, Invariant>>): Violation[] {
  return Object.entries({ ...COMMON, ...own }).flatMap(([id, isBroken]) => {
    const message = isBroken(after);
    return message === undefined ? [] : [{ id, message }];
  });
}
