/** The room host, seen from its parent process: a stay in a room, or a crowd. */
import type { Clock } from '../../src/common/clock.ts';
import { EXIT } from '../exit-codes.ts';
import { HostProcess } from '../headless/host-process.ts';
import {
  type Crowd,
  type RoomCommand,
  roomHostEvent,
  type RoomHostEvent,
  type Visit,
} from '../headless/room/room-messages.ts';

export interface Visitor {
  /** Settles as {@link HostProcess.done} does. */
  readonly done: Promise<{ readonly interrupted: boolean }>;
  /** Leaves the room. The host reports the stay, or ends. */
  leave(): void;
  kill(): void;
}

/**
 * Starts a room host.
 *
 * @param clock - limits the time for the engine to load.
 */
export function startVisitor(
  assignment: Visit | Crowd,
  onEvent: (event: RoomHostEvent) => void,
  clock: Pick<Clock, 'after'>,
): Visitor {
  const host = new HostProcess<RoomHostEvent>({
    module: 'room/room-host',
    events: roomHostEvent,
    assignment,
    begun: () => undefined,
    onEvent,
    clock,
  });
  return {
    done: host.done,
    leave() {
      host.allowEnd();
      host.send({ type: 'leave' } satisfies RoomCommand);
    },
    kill: () => host.kill(),
  };
}

/** The exit codes of the failures of a host. */
export const FAILURES = {
  unreachable: EXIT.environment,
  engine: EXIT.environment,
  refused: EXIT.usage,
  internal: EXIT.internal,
} as const;
