import type { Exchange } from '../../../sim/exchange/exchange.ts';
import type { SeenServer } from '../../../sim/scenario/run/read-server.ts';

/** The exchange of a real world. */
export interface WorldExchange extends Pick<Exchange, 'forgetCalls' | 'changeTurn' | 'revokeSessions'> {
  readonly port: number;
  readonly seen: SeenServer;
  /**
   * Ends its process: by SIGTERM (restart), by kill -9 (crash), or by kill -9 with its database (wipe). Returns the
   * function that
   * starts it again. Absent when it is no process of its own.
   */
  stop?(how: 'restart' | 'crash' | 'wipe'): () => void;
  close(): Promise<void>;
}
