/**
 * A lifecycle as data. A machine is a table of rows. {@link step} is the only reader of the table: it returns the next
 * state and the effects for a state and an event. It does nothing itself: a driver performs the effects and owns the
 * timers. The same tables draw docs/states.md and generate the exhaustive tests.
 */

/**
 * One row: in a state of `from`, the event `on` (for `role`, if the row has one) leads to `to` and runs `effects` in
 * order.
 */
export interface Row<State extends string, Event extends string, Effect extends string, Role extends string = string> {
  /** The requirement ids that this row implements. */
  readonly ids: readonly string[];
  readonly from: State | readonly State[];
  readonly on: Event;
  readonly role?: Role | readonly Role[];
  /** The next state. Absent when the machine stays in its state. */
  readonly to?: State;
  readonly effects?: readonly Effect[];
}

/** A timer that runs exactly while the machine is in one of `during`, and raises `raises`. */
export interface TimerSpec<State extends string, Event extends string> {
  readonly ids: readonly string[];
  readonly during: readonly State[];
  readonly repeats: boolean;
  readonly raises: Event;
}

/** The part of a lifecycle that drives it. */
export interface Machine<
  State extends string,
  Event extends string,
  Effect extends string,
  TimerName extends string = string,
  Role extends string = string,
  R extends Row<State, Event, Effect, Role> = Row<State, Event, Effect, Role>,
> {
  readonly initial: State;
  readonly rows: readonly R[];
  /** The effects on entering a state, after the row's own effects. */
  readonly entry: Readonly<Partial<Record<State, readonly Effect[]>>>;
  readonly timers: Readonly<Record<TimerName, TimerSpec<State, Event>>>;
}

/** A whole lifecycle, with what its diagram and its tests need. The driver needs the machine alone. */
export interface Table<
  State extends string,
  Event extends string,
  Effect extends string,
  TimerName extends string = string,
  Role extends string = string,
  R extends Row<State, Event, Effect, Role> = Row<State, Event, Effect, Role>,
> extends Machine<State, Event, Effect, TimerName, Role, R> {
  readonly name: string;
  readonly states: readonly State[];
  readonly events: readonly Event[];
  readonly final: readonly State[];
}

export type Step<State, R> =
  | { readonly kind: 'go'; readonly row: R; readonly to: State }
  | { readonly kind: 'stay'; readonly row: R }
  /** The event would lead to the present state: refused and logged as an error. */
  | { readonly kind: 'refused'; readonly reason: 'same state' }
  /** The state has no row for this event: logged as an error. */
  | { readonly kind: 'refused'; readonly reason: 'not allowed' };

const includes = <T>(oneOrMore: T | readonly T[], value: T): boolean =>
  Array.isArray(oneOrMore) ? oneOrMore.includes(value) : oneOrMore === value;

/**
 * Returns the decision of the table for `event` in `state` for `role`. Pure.
 *
 * An event is a transition to the same state when all its rows lead to the present state, or when its row does.
 */
export function step<State extends string, Event extends string, R extends Row<State, Event, string>>(
  rows: readonly R[],
  state: State,
  event: Event,
  role?: string,
): Step<State, R> {
  const forRole = rows.filter((row) => row.on === event && (row.role === undefined || includes(row.role, role)));
  const row = forRole.find(({ from }) => includes(from, state));
  if (row) {
    if (row.to === undefined) return { kind: 'stay', row };
    return row.to === state ? { kind: 'refused', reason: 'same state' } : { kind: 'go', row, to: row.to };
  }
  const leadsHere = forRole.length > 0 && forRole.every(({ to }) => to === state);
  return { kind: 'refused', reason: leadsHere ? 'same state' : 'not allowed' };
}

/** Returns the timers that run in `state`. */
export function timersIn<State extends string, TimerName extends string>(
  timers: Readonly<Record<TimerName, TimerSpec<State, string>>>,
  state: State,
): TimerName[] {
  return (Object.keys(timers) as TimerName[]).filter((name) => timers[name].during.includes(state));
}
