import { browserConnectivity } from '../../common/browser-connectivity.ts';
import { hostClock } from '../../common/host-clock.ts';
import { createStore } from '../../common/store.ts';
import type { SessionPorts } from './session-ports.ts';

/** The ports that the browser has. */
export type BrowserPorts = Pick<SessionPorts, 'live' | 'connectivity' | 'clock' | 'random' | 'logger'>;

/** Returns the ports of the browser, for a host without another socket to the same servers. The log is `console`. */
export function browserPorts(): BrowserPorts {
  return {
    live: createStore(true),
    connectivity: browserConnectivity,
    clock: hostClock(),
    random: () => Math.random(),
    logger: console,
  };
}
