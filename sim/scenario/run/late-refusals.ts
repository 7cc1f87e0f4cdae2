import { CallError, catalogueEntry } from '../../../src/protocol/errors.ts';
import type { TraceEvent } from '../../../src/trace/events.ts';
import { type Answer, answerReader, cameLate, haveSameReplies } from './answers.ts';
import { refusalText, StepFailure, type StepOf } from './step.ts';
import type { Step } from '../format/tree.ts';
import type { ScenarioWorld } from './world.ts';

/** The most refusals that a failure quotes. */
const MOST_SHOWN = 3;

const nameOf = (code: number): string => catalogueEntry(code)?.name ?? '';

/** An action whose step has ended before its answer. */
interface Open {
  readonly step: StepOf<'do'>;
  readonly read: (event: TraceEvent) => Answer | undefined;
  /** True when the action may come too late. */
  readonly mayBeLate: boolean;
  /** The number of events that were read. */
  seen: number;
}

/** The answers that no step waits for. An unexpected refusal fails the case at the place of its action. */
export class LateRefusals {
  readonly #world: Pick<ScenarioWorld, 'trace'>;
  #open: Open[] = [];
  /** The number of events before which every refusal was expected. */
  #from = 0;
  /** Undefined while refusals fail the case. */
  #permitted: Set<Step> | undefined;

  constructor(world: Pick<ScenarioWorld, 'trace'>) {
    this.#world = world;
  }

  /**
   * Records that a device begins an action. Its earlier actions with the same replies have lost their answers.
   * @throws StepFailure for a refusal that came before.
   */
  begins(step: StepOf<'do'>): void {
    this.check();
    const [action, device] = actionOf(step);
    this.#open = this.#open.filter((one) => {
      const [earlier, at] = actionOf(one.step);
      return at !== device || !haveSameReplies(earlier, action);
    });
  }

  /**
   * Watches for the answer to the action of a step.
   * @param from - the number of events before the action.
   */
  add(step: StepOf<'do'>, from: number, mayBeLate: boolean): void {
    const read = answerReader(...actionOf(step));
    if (read) this.#open.push({ step, read, mayBeLate, seen: from });
  }

  /** True while the answer of an action is missing. */
  get areAwaited(): boolean {
    return this.#open.length > 0;
  }

  /** Permits every later refusal. Returns the steps that are refused, as the story goes on. */
  permitAll(): ReadonlySet<Step> {
    this.#permitted ??= new Set();
    return this.#permitted;
  }

  /** Records that a step expected the refusals so far. */
  expected(): void {
    this.#from = this.#world.trace.length;
  }

  /** Returns the last refusals of commands that no step expected, in words. Empty without one. */
  words(): string {
    const refused = this.#world.trace
      .slice(this.#from)
      .flatMap((event) =>
        event.kind === 'message' && event.direction === 'down' && event.error !== undefined
          ? [
              `${event.device}.${event.cmd.replace(/_ack$/, '')} was refused: ${event.error} ${nameOf(event.error)}`.trimEnd(),
            ]
          : [],
      );
    return [...new Set(refused)].slice(-MOST_SHOWN).join('; ');
  }

  /** Reads the events since the last check. @throws StepFailure for a refusal. */
  check(): void {
    if (this.#open.length > 0) this.#open = this.#open.filter((one) => !this.#isSettled(one));
  }

  #isSettled(one: Open): boolean {
    const { trace } = this.#world;
    while (one.seen < trace.length) {
      const event = trace[one.seen];
      one.seen += 1;
      const answer = event && one.read(event);
      if (!answer) continue;
      if (answer.kind !== 'refused' || (one.mayBeLate && cameLate(answer.code))) return true;
      this.#open = this.#open.filter((other) => other !== one);
      if (!this.#permitted) {
        const cause = new CallError(answer.code);
        throw new StepFailure(one.step.place, refusalText(one.step.do, cause.message, cause.code), { cause });
      }
      this.#permitted.add(one.step);
      return true;
    }
    return false;
  }
}

/** Returns the action and the device of a step. */
export function actionOf({ do: act }: StepOf<'do'>): [action: string, device: string] {
  const at = act.lastIndexOf('.');
  return [act.slice(at + 1), act.slice(0, at)];
}
