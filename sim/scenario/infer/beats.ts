/** What a recorded story is made of, in the order of its moments: what people did, what was seen of it, what broke. */
import type { Payload } from './facts.ts';

interface Beat {
  /** Milliseconds since the trace began. */
  readonly at: number;
}

/** Somebody did something. */
export interface Act extends Beat {
  readonly kind: 'act';
  readonly device: string;
  readonly action: string;
  /** The call it is about; absent for signing in and out. */
  readonly callId?: string;
  readonly with?: Payload;
  /** The code it was refused with. */
  readonly fails?: number;
  /** True when the actor had not seen the act before this one. The two acts crossed on the network. */
  readonly crossing?: true;
  readonly comment?: string;
}

export type CallTimer = 'ring' | 'connection';

/** Something is to be seen of a device's call: paths behind `alice.call`, and their values. */
export interface Sight extends Beat {
  readonly kind: 'sight';
  readonly device: string;
  readonly callId: string;
  readonly values: Payload;
  /** A timer of the library brought it about. */
  readonly timer?: CallTimer;
}

/** Something broke, or is mended again. */
export interface Break extends Beat {
  readonly kind: 'break';
  readonly step: Payload;
  readonly comment: string;
}

/** Something is to be seen of a device beside its calls. */
export interface DeviceSight extends Beat {
  readonly kind: 'deviceSight';
  readonly device: string;
  readonly values: Payload;
}

export type AnyBeat = Act | Sight | Break | DeviceSight;

export const isAct = (beat: AnyBeat): beat is Act => beat.kind === 'act';
