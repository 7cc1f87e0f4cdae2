/**
 * A lifecycle as data. A machine is a table of rows; {@link step} is the only reader of it: given a state and an event
 * it says where to go and what to do there. It does nothing itself: a driver performs the effects and owns the timers.
 * The same tables draw docs/states.md and generate the exhaustive tests.
 */

/** One row: in `from`, on `on` (and only for this `role`, where one is named), go `to` and do `effects`, in order. */
export interface Row<State extends string, Event extends string, Effect extends string, Role extends string = string> {
  /** The requirement ids this row carries out. */
  readonly ids: readonly string[];
  readonly from: State | readonly State[];
  readonly on: Event;
  readonly role?: Role | readonly Role[];
  /** The next state; absent where the machine stays and only acts. */
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

/** A whole lifecycle. */
export interface Table<
  State extends string,
  Event extends string,
  Effect extends string,
  TimerName extends string = string,
  Role extends string = string,
  R extends Row<State, Event, Effect, Role> = Row<State, Event, Effect, Role>,
> {
  readonly name: string;
  readonly states: readonly State[];
  readonly events: readonly Event[];
  readonly initial: State;
  readonly final: readonly State[];
  readonly rows: readonly R[];
  /** What is done on entering a state, by whatever row; after the row's own effects. */
  readonly entry: Readonly<Partial<Record<State, readonly Effect[]>>>;
  readonly timers: Readonly<Record<TimerName, TimerSpec<State, Event>>>;
}

export type Step<State, R> =
  | { readonly kind: 'go'; readonly row: R; readonly to: State }
  | { readonly kind: 'stay'; readonly row: R }
  /** The event would lead to the state the machine is in already: refused and logged as an error. */
  | { readonly kind: 'refused'; readonly reason: 'same state' }
  /** No row for this event here: logged as an error. */
  | { readonly kind: 'refused'; readonly reason: 'not allowed' };

const includes = <T>(oneOrMore: T | readonly T[], value: T): boolean =>
  Array.isArray(oneOrMore) ? oneOrMore.includes(value) : oneOrMore === value;

/**
 * What the table says of `event` in `state` for `role`. Pure.
 *
 * An event whose every row leads to the present state is a transition to the same state; so is a row that names it.
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

/** The timers that run in `state`. */
export function timersIn<State extends string, TimerName extends string>(
  timers: Readonly<Record<TimerName, TimerSpec<State, string>>>,
  state: State,
): TimerName[] {
  return (Object.keys(timers) as TimerName[]).filter((name) => timers[name].during.includes(state));
}
