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
  let next: { readonly at: number; readonly timer: Timer } | null = null;
  let limit: Timer | null = null;

  const askIn = (ms: number) => {
    next?.timer.cancel();
    const timer = clock.after(ms, () => {
      next = null;
      limit = clock.after(TIMES.heartbeatReplyMs, dead);
      ask();
    });
    next = { at: clock.now() + ms, timer };
  };

  const stop = () => {
    next?.timer.cancel();
    next = null;
    limit?.cancel();
    limit = null;
  };

  return {
    heard: () => {
      stop();
      askIn(TIMES.heartbeatMs);
    },
    sent: () => {
      const soon = clock.now() + TIMES.heartbeatProbeMs;
      if (next && next.at > soon) askIn(TIMES.heartbeatProbeMs);
    },
    stop,
  };
}
