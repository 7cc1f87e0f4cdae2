/**
 * The state machines whose moves are in traces. A trace names its machines. The program that reads it passes their
 * tables in, so that a new machine is one row of its registry.
 */

/** The tone of a state, which selects its color: in progress, good, in trouble, bad, over, or a timer's. */
export type Tone = 'good' | 'way' | 'trouble' | 'bad' | 'over' | 'rose';

/** A timer that runs exactly while a machine is in certain states. */
export interface TraceTimer {
  readonly during: readonly string[];
  /** Whether it starts again whenever it fires. */
  readonly repeats: boolean;
  /** The time until it fires, for a trace that does not state it. Milliseconds. */
  readonly lengthMs: number;
}

/** A state machine, as readers and pictures of traces need it. */
export interface TraceMachine {
  /** The first state. A move from it begins a new run of the machine. */
  readonly initial: string;
  /** The states that end a run. Pictures do not draw them. */
  readonly final: readonly string[];
  /** The tone of each state: its color. */
  readonly tones: Readonly<Record<string, Tone>>;
  readonly timers: Readonly<Record<string, TraceTimer>>;
  /** Whether its state is the state of the device, which colors the lane of a ladder. */
  readonly isMain: boolean;
  /** The word before its moves in a ladder. Empty for none. */
  readonly ladderLabel: string;
  /** The name of its rows in a timeline. Empty for the name of the device. */
  readonly timelineLabel: string;
}

/** The state machines of a trace, by name. Timelines draw them in this order. */
export type TraceMachines = Readonly<Record<string, TraceMachine>>;

/** Returns the table of a machine. A machine without a table has no final state and no timers. */
export const machineOf = (machines: TraceMachines, name: string): TraceMachine =>
  machines[name] ?? {
    ...{ initial: '', final: [], tones: {}, timers: {} },
    ...{ isMain: false, ladderLabel: name, timelineLabel: name },
  };

/** Returns the tone of a state of a machine. A state without a row is in progress. */
export const toneOf = ({ tones }: TraceMachine, state: string): Tone => tones[state] ?? 'way';
