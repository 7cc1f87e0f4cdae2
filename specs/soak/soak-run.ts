/** What a soak run is: a load on a real server with real sockets, and conditions that must hold during and after it. */

export const SOAK_IDS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8', 'L9', 'L10', 'NODES', 'UPGRADE'] as const;
export type SoakId = (typeof SOAK_IDS)[number];

/** A condition of a run. */
export interface SoakCondition {
  readonly text: string;
  readonly ok: boolean;
  /** What was measured, in words. */
  readonly measured: string;
}

/** A value over the time of a run. */
export interface SoakPoint {
  /** Milliseconds since the run began. */
  readonly at: number;
  readonly value: number;
}

/** What a run may use, and where it reports. */
export interface Soak {
  /** True for the form that runs in `make test`. Its conditions are about correctness, never about speed. */
  readonly isShort: boolean;
  /** The length of the load. Milliseconds. */
  readonly loadMs: number;
  /** The number of inputs of L10. Null for the default of the form. */
  readonly inputs: number | null;
  /** The servers to load, of one application. Empty: the run starts its own. */
  readonly servers: readonly string[];
  /** The seed of every random choice. */
  readonly seed: number;
  /** Aborts when the user ends the run early. The conditions are still checked. */
  readonly stop: AbortSignal;
  /** Shows the state of the run in a few words. */
  say(text: string): void;
  /** Adds a value to a line of a chart. The unit is a part of the name of the chart. */
  point(chart: string, line: string, value: number): void;
  /** Records a measured value. A repeated name replaces the former value. */
  figure(name: string, value: string): void;
  /** Records whether a condition holds. */
  condition(text: string, ok: boolean, measured: string): void;
}

/** A run. */
export interface SoakRun {
  readonly id: SoakId;
  /** What it does, in one line. */
  readonly about: string;
  /** The length of the load of the long form by default. Minutes. Null: the work of the run sets its length. */
  readonly minutes: number | null;
  /** The length of the load of the short form. Milliseconds. Null without a short form. */
  readonly shortMs: number | null;
  /** Whether it can load the servers of `--server`. */
  readonly takesServers: boolean;
  /** Runs it to its end. Rejects with a SoakCannotRun when something is missing. */
  run(soak: Soak): Promise<void>;
}

/** The reason for which a run cannot start, in one line: a program is missing, or no server answers. */
export class SoakCannotRun extends Error {}

/** The result of a run. */
export interface SoakResult {
  readonly id: SoakId;
  readonly about: string;
  readonly isShort: boolean;
  readonly seed: number;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  readonly conditions: readonly SoakCondition[];
  readonly figures: readonly (readonly [name: string, value: string])[];
  readonly charts: ReadonlyMap<string, ReadonlyMap<string, readonly SoakPoint[]>>;
}

/** The options of one run. */
export interface SoakOptions {
  readonly isShort: boolean;
  /** Default: the length of the form. */
  readonly minutes?: number;
  readonly inputs?: number;
  readonly servers?: readonly string[];
  /** Default: 1. */
  readonly seed?: number;
  readonly stop?: AbortSignal;
  readonly say?: (text: string) => void;
}

const MINUTE_MS = 60_000;

/** Runs one run. A run without a condition fails: it has shown nothing. */
export async function performSoak(run: SoakRun, options: SoakOptions): Promise<SoakResult> {
  const began = performance.now();
  const conditions: SoakCondition[] = [];
  const figures = new Map<string, string>();
  const charts = new Map<string, Map<string, SoakPoint[]>>();
  const stop = options.stop ?? new AbortController().signal;
  const seed = options.seed ?? 1;
  await run.run({
    isShort: options.isShort,
    loadMs: lengthOf(run, options),
    inputs: options.inputs ?? null,
    servers: options.servers ?? [],
    seed,
    stop,
    say: options.say ?? (() => undefined),
    point(chart, line, value) {
      const lines = charts.get(chart) ?? new Map<string, SoakPoint[]>();
      charts.set(chart, lines);
      const points = lines.get(line) ?? [];
      lines.set(line, points);
      points.push({ at: performance.now() - began, value });
    },
    figure: (name, value) => void figures.set(name, value),
    condition: (text, ok, measured) => void conditions.push({ text, ok, measured }),
  });
  if (conditions.length === 0) conditions.push({ text: 'the run checks a condition', ok: false, measured: 'none' });
  return {
    id: run.id,
    about: run.about,
    isShort: options.isShort,
    seed,
    elapsedMs: performance.now() - began,
    isInterrupted: stop.aborted,
    conditions,
    figures: [...figures],
    charts,
  };
}

/** Returns the length of the load, milliseconds. */
function lengthOf({ shortMs, minutes }: SoakRun, options: SoakOptions): number {
  if (options.minutes !== undefined) return options.minutes * MINUTE_MS;
  return options.isShort ? (shortMs ?? 0) : (minutes ?? 0) * MINUTE_MS;
}

/** Returns whether every condition of a result holds. */
export const holds = ({ conditions }: SoakResult): boolean => conditions.every(({ ok }) => ok);
