import type { Exchange } from '../../../sim/exchange/exchange.ts';
import type { SeenServer } from '../../../sim/scenario/run/read-server.ts';

/** The exchange of a real world. */
export interface WorldExchange extends Pick<Exchange, 'forgetCalls' | 'changeTurn' | 'revokeSessions'> {
  readonly port: number;
  readonly seen: SeenServer;
  /**
   * Ends it: by SIGTERM (restart), by kill -9 (crash), or by kill -9 with its database (wipe). Returns the function that
   * starts it again. Undefined for a way that it does not support, and absent when it supports none.
   */
  stop?(how: 'restart' | 'crash' | 'wipe'): (() => void) | undefined;
  /**
   * Whether a fault keeps it stopped. False as soon as the last such fault ends, while it may still start: `ready` resolves
   * after that. Absent when it cannot be restarted.
   */
  readonly isStopped?: boolean;
  /** Resolves when the last stop or start is over. Absent when it cannot be restarted. */
  readonly ready?: Promise<void>;
  close(): Promise<void>;
}
