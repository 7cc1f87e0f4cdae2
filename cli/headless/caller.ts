/** A headless caller, seen from its parent process: a peer host that makes or answers calls. */
import type { Clock } from '../../src/common/clock.ts';
import { HostProcess } from './host-process.ts';
import { type Assignment, type HostCommand, hostEvent, type HostEvent } from './messages.ts';

export interface HeadlessCaller {
  /** Settles as {@link HostProcess.done} does. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  /** Accepts the call. For an assignment that waits for this command. */
  accept(): void;
  /** Hangs up, or stops waiting for a call. */
  hangUp(): void;
  /** Kills the host at once. */
  kill(): void;
}

/**
 * Starts a headless caller.
 *
 * @param clock - limits the time for the engine to load.
 */
export function startHeadlessCaller(
  assignment: Omit<Assignment, 'type'>,
  onEvent: (event: HostEvent) => void,
  clock: Pick<Clock, 'after'>,
): HeadlessCaller {
  let isAccepted = false;
  const send = (command: HostCommand) => host.send(command);
  const host = new HostProcess<HostEvent>({
    module: 'peer-host',
    events: hostEvent,
    assignment: { type: 'assignment', ...assignment } satisfies HostCommand,
    begun: () => {
      if (isAccepted) send({ type: 'accept' });
    },
    onEvent,
    clock,
  });
  return {
    done: host.done,
    accept() {
      isAccepted = true;
      if (host.isReady) send({ type: 'accept' });
    },
    hangUp() {
      // Without a call there is no verdict: the host ends, and this is not a crash.
      host.allowEnd();
      send({ type: 'hang-up' });
    },
    kill: () => host.kill(),
  };
}
