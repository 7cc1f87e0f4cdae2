import type { EndResult } from '../../protocol/enumerations.ts';
import type { ServerEventPayload } from '../../protocol/messages/events.ts';
import type { Logger } from '../logging/log.ts';
import { MachineDriver } from '../machine/machine-driver.ts';
import type { Clock } from '../../common/clock.ts';
import type { CallRecord } from './call-record.ts';
import {
  CALL_MACHINE,
  type CallEffect,
  type CallEventName,
  type CallRole,
  type CallRow,
  type CallState,
  type CallTimer,
} from './table.ts';

/** The details of an event. */
export interface CallDetail {
  readonly result?: EndResult;
  /** The id of the user who ended the call. */
  readonly by?: string | null;
  readonly offer?: ServerEventPayload<'offer'>;
}

export type CallEffects = Readonly<Record<CallEffect, (detail: CallDetail) => void>>;

export interface LifecycleOptions {
  readonly role: CallRole;
  readonly record: CallRecord;
  readonly effects: CallEffects;
  /** The milliseconds of each timer. */
  readonly durations: Readonly<Record<CallTimer, () => number>>;
  /** Runs after each transition: sounds follow the state. */
  readonly moved: (to: CallState) => void;
  readonly localUserId: () => string;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

/** Drives {@link CALL_MACHINE} for one leg of a call and records how it ended. */
export class Lifecycle {
  readonly #machine: MachineDriver<CallState, CallEventName, CallEffect, CallTimer, CallRole, CallRow, CallDetail>;

  constructor({ role, record, effects, durations, moved, localUserId, clock, log }: LifecycleOptions) {
    this.#machine = new MachineDriver(CALL_MACHINE, role, clock, {
      perform: (effect, detail) => effects[effect](detail ?? {}),
      moved: (from, to, row, detail) => {
        log.info('call', { from, to });
        const local = row.on === 'endRequested' ? localUserId() : null;
        if (row.result === 'told') record.end(detail?.result ?? 'unknown', detail?.by ?? null);
        else if (row.result) record.end(row.result, detail?.by ?? local);
        moved(to);
      },
      refused: (state, event, reason) => log.error(`call: ${event} in ${state}: ${reason}`),
      failed: (effect, error) => log.error(`call: ${effect} failed`, { error }),
      duration: (timer) => durations[timer](),
    });
  }

  get state(): CallState {
    return this.#machine.state;
  }

  raise(event: CallEventName, detail?: CallDetail): void {
    this.#machine.raise(event, detail);
  }

  is(...states: readonly CallState[]): boolean {
    return states.includes(this.state);
  }

  /** True from the establishment of the call to its end. */
  get isUnderWay(): boolean {
    return this.is('established', 'connected', 'reconnecting');
  }

  /** True when the call is over or ending: a host cannot change it any more. */
  get isOver(): boolean {
    return this.is('closing', 'ending', 'ended', 'aborted', 'canceled');
  }
}
