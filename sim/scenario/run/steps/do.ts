import { CallError } from '../../../../src/protocol/errors.ts';
import { spanText } from '../../../format/duration.ts';
import { type Answer, answerReader, cameLate } from '../answers.ts';
import { actionOf } from '../late-refusals.ts';
import { refusalText, StepFailure, type StepOf } from '../step.ts';
import type { Story } from '../story.ts';
import { show } from '../../format/values.ts';
import type { Acted } from '../world.ts';

/** The time limit for an action that a step waits for. Milliseconds. */
const ACTION_MS = 120_000;

/** The error of an accept whose call ended before the answer. */
const OVERTAKEN = new Error('the call ended first');

/**
 * Performs an action and checks its refusal. Returns 'at once' if nothing was waited for.
 * @throws StepFailure also when the action had no effect or came too late, unless the step permits that (`idle`).
 */
export async function doStep(step: StepOf<'do'>, story: Story, name: string): Promise<'at once' | undefined> {
  const wanted = step.fails === undefined ? undefined : Number(story.scope.fill(step.fails));
  const { refused, waited, idle } = await outcomeOf(step, story, { name, isToFail: wanted !== undefined });
  if (waited) story.cameTrue(story.world.moment);
  const code = codeOf(refused);
  const mayBeIdle = story.scope.fill(step.idle) === true;
  const isPermitted = mayBeIdle && (refused === OVERTAKEN || (code !== undefined && cameLate(code)));
  const message = refused instanceof Error ? refused.message : show(refused);
  if (wanted === undefined && refused !== undefined && !isPermitted)
    throw new StepFailure(step.place, refusalText(step.do, message, code), { cause: refused });
  if (wanted !== undefined && code !== wanted) {
    const how = code === undefined ? `it failed: ${message}` : `it failed with ${code}`;
    const found = refused === undefined ? 'it did not fail' : how;
    throw new StepFailure(step.place, `${step.do} was expected to fail with ${wanted}; ${found}`);
  }
  if (wanted !== undefined) story.refusals.expected();
  if (idle !== undefined && wanted === undefined && !mayBeIdle)
    throw new StepFailure(step.place, `${step.do} had no effect: ${idle}`);
  return waited ? undefined : 'at once';
}

/** The outcome of an action. */
interface Outcome {
  /** The error of the action. Absent if it did not fail, or if the step does not wait for it. */
  readonly refused?: unknown;
  readonly waited: boolean;
  /** Why it had no effect. Absent if it had one. */
  readonly idle?: string | undefined;
}

async function outcomeOf(
  step: StepOf<'do'>,
  story: Story,
  { name, isToFail }: { readonly name: string; readonly isToFail: boolean },
): Promise<Outcome> {
  let outcome: { readonly error?: unknown } | undefined;
  let idle: string | undefined;
  let decided = () => outcome !== undefined;
  let seen = story.world.trace.length;
  try {
    const parameters = story.scope.fill(step.with ?? {}) as Record<string, unknown>;
    const acted = await begun(step, story, { name, parameters });
    const { value, done, waits } = acted;
    ({ idle } = acted);
    story.scope.keep(step.as, value);
    done?.then(
      () => (outcome = {}),
      (error: unknown) => (outcome = { error }),
    );
    const isWaiting = (step.waits ?? waits ?? false) || isToFail;
    const read = idle === undefined ? answerReader(...actionOf(step)) : undefined;
    if (read) story.refusals.begins(step);
    if (read && !isWaiting && step.waits === undefined)
      story.refusals.add(step, seen, story.scope.fill(step.idle) === true);
    if ((!done && !read) || !isWaiting) {
      await story.until(() => true, 0);
      return { waited: false, idle };
    }
    if (read) {
      decided = () => {
        for (; outcome === undefined && seen < story.world.trace.length; seen += 1) {
          const event = story.world.trace[seen];
          const answer = event && read(event);
          if (answer) outcome = outcomeFrom(answer);
        }
        return outcome !== undefined;
      };
    }
  } catch (error) {
    if (error instanceof StepFailure) throw error;
    return { refused: error, waited: false };
  }
  await story.until(decided, ACTION_MS);
  if (!outcome) throw new StepFailure(step.place, `${step.do} did not end within ${spanText(ACTION_MS)}`);
  return { refused: outcome.error, waited: true, idle };
}

const outcomeFrom = (answer: Answer): { readonly error?: unknown } => {
  if (answer.kind === 'done') return {};
  return { error: answer.kind === 'overtaken' ? OVERTAKEN : new CallError(answer.code) };
};

/** Returns the immediate outcome of an action. An actor in another process reports when the action has begun. */
async function begun(
  step: StepOf<'do'>,
  story: Story,
  { name, parameters }: { readonly name: string; readonly parameters: Record<string, unknown> },
): Promise<Acted> {
  const { world } = story;
  const [action, actor] = actionOf(step);
  const before = world.now;
  let acting: Acted | Promise<Acted> | undefined;
  try {
    acting = world.act(actor, action, parameters);
    return acting instanceof Promise ? await acting : acting;
  } finally {
    story.taken(name, acting instanceof Promise ? world.now : before);
  }
}

const codeOf = (error: unknown): number | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
    ? error.code
    : undefined;
