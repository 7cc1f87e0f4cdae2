import { TIMES } from '../../protocol/limits.ts';
import type { Clock, Timer } from '../../common/clock.ts';

export interface HeartbeatOptions {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  /** Sends a heartbeat to the exchange. */
  readonly ask: () => void;
  /** Runs when nothing came after a heartbeat: the other end of the socket is gone. */
  readonly dead: () => void;
}

/** The heartbeat of one open socket. */
export interface Heartbeat {
  /** Records that the exchange sent something, or that the socket has just opened. */
  heard(): void;
  /** Records that the client sent a command. */
  sent(): void;
  stop(): void;
}

/**
 * Returns the heartbeat of one open socket (ADR 0024). A page does not see the pings of a websocket, so the library
 * sends heartbeats: after a silence of 10 s, or 3 s after a command that nothing followed. Any frame of the exchange is
 * a sign of life.
 */
export function socketHeartbeat({ clock, ask, dead }: HeartbeatOptions): Heartbeat {
  /** The instant of the next heartbeat. Null while a reply is awaited, and after the stop. */
  let due: number | null = null;
  /** The timer of the next look. A message moves the heartbeat, and only an earlier one needs another timer. */
  let look: { readonly at: number; readonly timer: Timer } | null = null;
  let limit: Timer | null = null;

  const askAt = (at: number) => {
    due = at;
    if (look && look.at <= at) return;
    look?.timer.cancel();
    const timer = clock.after(at - clock.now(), () => {
      look = null;
      if (due === null) return;
      if (clock.now() < due) return askAt(due);
      due = null;
      limit = clock.after(TIMES.heartbeatReplyMs, dead);
      ask();
    });
    look = { at, timer };
  };

  const answered = () => {
    limit?.cancel();
    limit = null;
  };
  const stop = () => {
    look?.timer.cancel();
    look = null;
    due = null;
    answered();
  };

  return {
    heard: () => {
      answered();
      askAt(clock.now() + TIMES.heartbeatMs);
    },
    sent: () => {
      const soon = clock.now() + TIMES.heartbeatProbeMs;
      if (due !== null && due > soon) askAt(soon);
    },
    stop,
  };
}
