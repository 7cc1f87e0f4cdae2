/** The parts of an inferred story, in the order of their moments: actions, observations and faults. */
import type { Payload } from './facts.ts';

interface Timed {
  /** Milliseconds since the trace began. */
  readonly at: number;
}

/** An action of a user. */
export interface Act extends Timed {
  readonly kind: 'act';
  readonly device: string;
  readonly action: string;
  /** The call that it concerns. Absent for signing in and out. */
  readonly callId?: string;
  readonly with?: Payload;
  /** The code with which it was refused. */
  readonly fails?: number;
  /** True when the exchange refused it or never replied, and the user was not informed. */
  readonly refused?: true;
  /** True when the actor had not seen the act before this one. The two acts crossed on the network. */
  readonly crossing?: true;
  readonly comment?: string;
}

export type CallTimer = 'ring' | 'connection';

/** An observation of a device's call: paths behind `alice.call`, and their values. */
export interface CallObservation extends Timed {
  readonly kind: 'callObservation';
  readonly device: string;
  readonly callId: string;
  readonly values: Payload;
  /** The timer of the library that caused it. */
  readonly timer?: CallTimer;
}

/** A fault, or its end. */
export interface FaultChange extends Timed {
  readonly kind: 'fault';
  readonly step: Payload;
  readonly comment: string;
}

/** An observation of a device that concerns no call. */
export interface DeviceObservation extends Timed {
  readonly kind: 'deviceObservation';
  readonly device: string;
  readonly values: Payload;
}

export type StoryEvent = Act | CallObservation | FaultChange | DeviceObservation;

export const isAct = (event: StoryEvent): event is Act => event.kind === 'act';
