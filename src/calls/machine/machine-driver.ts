import type { Clock, Timer } from '../../common/clock.ts';
import { step, timersIn, type Machine, type Row } from './machine.ts';

export interface DriverHooks<State, Event, Effect, TimerName, R, Detail> {
  /** Performs an effect. It may raise further events, which wait until this effect is done. */
  perform(effect: Effect, detail: Detail | undefined): void;
  /** Runs after a transition and before the effects of the row. */
  moved?(from: State, to: State, row: R, detail: Detail | undefined): void;
  /** Runs when an event was refused: a transition to the same state, or an event the state does not allow. */
  refused(state: State, event: Event, reason: 'same state' | 'not allowed'): void;
  /** Runs when an effect threw. The next effects still run. */
  failed(effect: Effect, error: unknown): void;
  /** Returns how long a timer runs, milliseconds. Read when the timer starts. */
  duration(timer: TimerName): number;
}

/**
 * Drives a transition table: keeps the state, calls {@link step}, performs effects in order and owns the table's
 * timers. Each timer runs exactly while its states last. Events that an effect raises are handled one after another.
 */
export class MachineDriver<
  State extends string,
  Event extends string,
  Effect extends string,
  TimerName extends string,
  Role extends string,
  R extends Row<State, Event, Effect, Role>,
  Detail = undefined,
> {
  readonly #table: Machine<State, Event, Effect, TimerName, Role, R>;
  readonly #clock: Clock;
  readonly #hooks: DriverHooks<State, Event, Effect, TimerName, R, Detail>;
  readonly #timers = new Map<TimerName, Timer>();
  readonly #waiting: { readonly event: Event; readonly detail: Detail | undefined }[] = [];
  #state: State;
  #busy = false;
  /** The role. It may change while the machine lives: a peer connection becomes disposable. */
  role: Role;

  constructor(
    table: Machine<State, Event, Effect, TimerName, Role, R>,
    role: Role,
    clock: Clock,
    hooks: DriverHooks<State, Event, Effect, TimerName, R, Detail>,
  ) {
    this.#table = table;
    this.role = role;
    this.#clock = clock;
    this.#hooks = hooks;
    this.#state = table.initial;
  }

  get state(): State {
    return this.#state;
  }

  /** Handles an event with its details: now, or after the current event. */
  raise(event: Event, detail?: Detail): void {
    this.#waiting.push({ event, detail });
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        this.#take(next.event, next.detail);
      }
    } finally {
      this.#busy = false;
    }
  }

  #take(event: Event, detail: Detail | undefined): void {
    const answer = step(this.#table.rows, this.#state, event, this.role);
    if (answer.kind === 'refused') {
      this.#hooks.refused(this.#state, event, answer.reason);
      return;
    }
    const { row } = answer;
    if (answer.kind === 'stay') {
      this.#perform(row.effects, detail);
      return;
    }
    this.#move(answer.to, row, detail);
    this.#perform(row.effects, detail);
    this.#perform(this.#table.entry[answer.to], detail);
  }

  #perform(effects: readonly Effect[] = [], detail: Detail | undefined): void {
    for (const effect of effects) {
      try {
        this.#hooks.perform(effect, detail);
      } catch (error) {
        this.#hooks.failed(effect, error);
      }
    }
  }

  #move(to: State, row: R, detail: Detail | undefined): void {
    const from = this.#state;
    this.#state = to;
    const wanted = timersIn(this.#table.timers, to);
    for (const [name, timer] of this.#timers) {
      if (wanted.includes(name)) continue;
      timer.cancel();
      this.#timers.delete(name);
    }
    for (const name of wanted) if (!this.#timers.has(name)) this.#start(name);
    this.#hooks.moved?.(from, to, row, detail);
  }

  #start(name: TimerName): void {
    const { repeats, raises } = this.#table.timers[name];
    const ms = this.#hooks.duration(name);
    const ring = () => {
      if (!repeats) this.#timers.delete(name);
      this.raise(raises);
    };
    this.#timers.set(name, repeats ? this.#clock.every(ms, ring) : this.#clock.after(ms, ring));
  }
}
