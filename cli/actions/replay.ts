/** The action of `ringback replay`: runs a case again and shows its state. */
import { devicesOf, type Moment } from '../../sim/scenario/replay/moment.ts';
import { type Replayed, replay as replayCase } from '../../sim/scenario/replay/replay.ts';
import { parseStop, type Stop, stopText } from '../../sim/scenario/replay/stop.ts';
import type { Scenario } from '../../sim/scenario/format/tree.ts';
import type { TraceEvent } from '../../src/trace/events.ts';
import { CommandError } from '../command-error.ts';
import { EXIT } from '../exit-codes.ts';
import { keyboard } from '../keyboard.ts';
import { processOutput } from '../process-output.ts';
import { printable } from '../reporters/printable.ts';
import { ladderHead, ladderPiece, lanesLine, momentLines } from '../reporters/replay.ts';
import { findReplayed, type Replayable } from '../scenarios/find-replayed.ts';

export interface ReplayOptions {
  readonly seed?: number;
  readonly until?: string;
  readonly step?: boolean;
  readonly whole?: boolean;
}

/** Prints text of a trace or a file. */
const say = (text: string): void => processOutput.out.write(printable(text));

/** Replays a case. Returns the exit code. */
export async function replay(what: string, which: string | undefined, options: ReplayOptions): Promise<number> {
  if (options.step && !keyboard.isThere)
    throw new CommandError('--step needs a terminal. Without a terminal, --until stops at a moment.', EXIT.usage);
  const found = await findReplayed(what, which);
  const { scenario, one, kept } = found;
  const seed = options.seed ?? found.seed ?? scenario.seed;
  const until = options.until === undefined ? undefined : stopOf(options.until, scenario);
  say(`${scenario.scenario}${one.name === undefined ? '' : ` [${one.name}]`}, seed ${seed}\n\n`);
  const devices = devicesOf(scenario.actors);
  say(ladderHead(devices));
  const stepper = options.step ? new Stepper(devices, options.whole ?? false) : undefined;
  const replayed = await replayCase(scenario, one, {
    seed,
    until,
    // Another seed gives another run, which has no trace to compare with.
    kept: options.seed === undefined || options.seed === found.seed ? kept : undefined,
    step: stepper && ((trace, moment) => stepper.show(trace, moment)),
  });
  stepper?.close();
  if (stepper?.isInterrupted) return EXIT.interrupted;
  say(ladderPiece(replayed.trace, { from: stepper?.shown ?? 0, devices, whole: options.whole ?? false }));
  say(`\n${momentLines(replayed.moment)}`);
  return verdictOf(replayed, found, until);
}

function stopOf(text: string, scenario: Scenario): Stop {
  try {
    return parseStop(text, scenario);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(`${error.message}.`, EXIT.usage);
  }
}

/** Prints the outcome. Returns the exit code. */
function verdictOf({ ended, result, difference }: Replayed, { kept }: Replayable, until: Stop | undefined): number {
  const { failure } = result;
  if (ended === 'over') {
    const place = failure?.place ? `${failure.place.file}:${failure.place.line}:${failure.place.column}: ` : '';
    say(failure ? `failed: ${place}${failure.message}\n` : 'passed\n');
    if (until) say(`the case ended before this was true: ${stopText(until)}\n`);
  }
  if (difference) say(`the replay differs from the trace at event ${difference.event}: ${difference.message}\n`);
  else if (kept) say(`no difference from the trace so far\n`);
  if (difference) return EXIT.unsteady;
  return ended === 'over' && (failure !== undefined || until !== undefined) ? EXIT.failed : EXIT.ok;
}

/** Shows each event, and waits for a key after it. */
class Stepper {
  /** The number of events shown so far. */
  shown = 0;
  isInterrupted = false;
  readonly #devices: readonly string[];
  readonly #whole: boolean;
  readonly #undo: () => void;
  /** The length of the next move. */
  #goes: 'event' | 'step' | 'end' = 'event';
  #pressed: ((key: string) => void) | undefined;

  constructor(devices: readonly string[], whole: boolean) {
    this.#devices = devices;
    this.#whole = whole;
    this.#undo = keyboard.listen((key) => this.#pressed?.(key));
    processOutput.err.write(
      'Enter shows the next event, s goes to the end of the step, c to the end of the case, q quits.\n',
    );
  }

  /** Resolves to true when the user wants to continue. */
  async show(trace: readonly TraceEvent[], moment: Moment): Promise<boolean> {
    const events = trace.slice(this.shown);
    const piece = ladderPiece(trace, { from: this.shown, devices: this.#devices, whole: this.#whole });
    const steps = events.filter((event) => event.kind === 'step');
    say(piece);
    for (const { place, text } of steps) say(`            -- ${place}: ${text}\n`);
    this.shown = trace.length;
    if (this.#goes === 'end' || (this.#goes === 'step' && steps.length === 0)) return true;
    // An event that the ladder leaves out is no place to stop.
    if (piece.trim() === '' && steps.length === 0) return true;
    say(lanesLine(moment));
    return this.#asked();
  }

  close(): void {
    this.#undo();
  }

  #asked(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#pressed = (key) => {
        const goes = KEYS[key];
        if (goes === undefined) return;
        this.#pressed = undefined;
        this.isInterrupted = key === 'ctrl-c';
        if (goes !== 'leave') this.#goes = goes;
        resolve(goes !== 'leave');
      };
    });
  }
}

const KEYS: Readonly<Record<string, 'event' | 'step' | 'end' | 'leave'>> = {
  enter: 'event',
  ' ': 'event',
  s: 'step',
  c: 'end',
  q: 'leave',
  escape: 'leave',
  'ctrl-c': 'leave',
};
