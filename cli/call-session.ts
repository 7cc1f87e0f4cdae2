/**
 * One run of `dial` or `answer`: starts the headless caller, shows its events, hangs up after Ctrl-C, and returns the
 * exit code.
 */
import { nodeClock } from '../sim/server/node-ports.ts';
import type { EndResult } from '../src/protocol/enumerations.ts';
import type { Wanted } from './arguments/wanted.ts';
import { CommandError } from './command-error.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { explainWait } from './explain-wait.ts';
import { startHeadlessCaller } from './headless/caller.ts';
import type { Assignment, HostEvent } from './headless/messages.ts';
import { onInterrupt } from './interrupt.ts';
import { processOutput } from './process-output.ts';
import { chooseReporter } from './reporters/choose.ts';
import { judge } from './requirements.ts';

/** The result that counts as success, and the requirements of the call. */
export interface Expected extends Wanted {
  readonly result: EndResult;
}

/** Runs one call session to its end. Returns the exit code. */
export async function runCallSession(
  assignment: Omit<Assignment, 'type'>,
  expected: Expected,
  asJson: boolean,
): Promise<number> {
  const reporter = chooseReporter(processOutput, asJson, process.env);
  let exitCode: number | null = null;
  let interrupted = false;
  /** True after the reporter has shown the end of a call or of the command. */
  let isRendered = false;

  /** True when a device of the callee has rung, so that no wait is explained any more. */
  let isReached = false;
  const explain = async (event: Extract<HostEvent, { type: 'unreached' }>) => {
    const reason = await explainWait(assignment.server, event);
    if (!isReached && !isRendered) reporter.event({ ...event, reason });
  };

  const onEvent = (event: HostEvent) => {
    if (event.type === 'ended') {
      const requirements = judge(event.report, expected);
      reporter.event({ ...event, requirements });
      isRendered = true;
      const isMet = requirements.every(({ ok }) => ok);
      const code = exitCodeOf(event.report.result, expected.result, isMet);
      // With several calls, the first one that failed sets the exit code.
      exitCode = exitCode || code;
      if (!assignment.keep || interrupted) caller.kill();
      return;
    }
    if (event.type === 'unreached') {
      void explain(event);
      return;
    }
    if (event.type === 'ringing' || event.type === 'established') isReached = true;
    reporter.event(event);
    if (event.type === 'failed') {
      isRendered = true;
      exitCode = FAILURES[event.cause];
      reporter.failed({ ...event.error, message: event.message });
      caller.kill();
    }
  };
  const release = onInterrupt((count) => {
    interrupted = true;
    // Before a call there is nothing to hang up: the host process ends, and the wait for it ends too.
    if (count === 1) caller.hangUp();
    else caller.kill();
  });
  // Listens for Ctrl-C before the child process starts, so that the child is always ended.
  const caller = startHeadlessCaller(assignment, onEvent, nodeClock);
  try {
    const ended = await caller.done;
    interrupted ||= ended.interrupted;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    isRendered = true;
    reporter.failed({ message: error.message });
    exitCode = error.exitCode;
  } finally {
    release();
  }
  if (interrupted && !isRendered) reporter.interrupted();
  return interrupted ? EXIT.interrupted : (exitCode ?? EXIT.crashed);
}

const FAILURES = {
  unreachable: EXIT.environment,
  engine: EXIT.environment,
  refused: EXIT.usage,
  internal: EXIT.internal,
} as const;
