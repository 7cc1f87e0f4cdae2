import { type ConnectionInfo, readConnectionInfo, UNKNOWN_PATH } from '../stats/connection-info.ts';
import type { StatsSource } from '../stats/stats-report.ts';
import type { CallCommands } from './call-commands.ts';

/**
 * The report to the exchange that media is up. It waits for the path of media, and is repeated until the exchange has
 * it. Otherwise the exchange would end the call as never connected.
 */
export interface ConnectedReport {
  /** Reports the path of a connection that is up, for the first time or again. */
  send(connection: StatsSource, reconnect: boolean): void;
  /** Sends a report that waits for its path, without the path. Else repeats one that the exchange has not answered. */
  now(): void;
}

/** Returns the report of one call, sent by its commands. */
export function connectedReport(commands: Pick<CallCommands, 'connected'>): ConnectedReport {
  /** Sends the report, once the path is known. Null after it was sent. */
  let say: ((path: ConnectionInfo) => void) | null = null;
  let repeat: (() => void) | null = null;

  const tell = async (path: ConnectionInfo, reconnect: boolean) => {
    const again = () => void tell(path, reconnect);
    repeat = again;
    const isHeard = await commands.connected(path, reconnect);
    if (isHeard && repeat === again) repeat = null;
  };

  return {
    send: (connection, reconnect) => {
      const once = (path: ConnectionInfo) => {
        if (say !== once) return;
        say = null;
        void tell(path, reconnect);
      };
      say = once;
      repeat = null;
      void readConnectionInfo(connection).then(once);
    },
    now: () => (say ?? repeat)?.(UNKNOWN_PATH),
  };
}
