import { browserConnectivity } from '../../../common/browser-connectivity.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Connectivity } from '../../../common/connectivity.ts';
import { hostClock } from '../../../common/host-clock.ts';
import { newRandomId } from './new-id.ts';
import type { HttpFetch, Logger, NewId, OpenSocket } from './ports.ts';
import { type DevicePermissions, browserDevicePermissions } from './device-permissions.ts';
import { type KeyValueStore, safeStorage } from './key-value-store.ts';

/** The browser functions that the services of the app use. */
export interface Ports {
  clock: Clock;
  connectivity: Connectivity;
  fetch: HttpFetch;
  openSocket: OpenSocket;
  localStorage: KeyValueStore;
  sessionStorage: KeyValueStore;
  /** Calls the listener when another tab has changed the local storage. Returns the function that unsubscribes it. */
  onOtherTab(listener: () => void): () => void;
  logger: Logger;
  newId: NewId;
  /** Returns a random number from 0 to below 1. It is only for jitter, not for secrets. */
  random(): number;
  devicePermissions: DevicePermissions;
}

const openBrowserSocket: OpenSocket = (url, protocols, handlers) => {
  const socket = new WebSocket(url, Array.from(protocols));
  socket.addEventListener('open', () => handlers.onOpen());
  socket.addEventListener('message', (event: MessageEvent<unknown>) => handlers.onMessage(event.data));
  socket.addEventListener('error', () => handlers.onError());
  socket.addEventListener('close', ({ code }) => handlers.onClose(code));
  return socket;
};

const consoleLogger: Logger = {
  info: (message, detail) => console.info(`[ringback] ${message}`, ...(detail === undefined ? [] : [detail])),
  warn: (message, detail) => console.warn(`[ringback] ${message}`, ...(detail === undefined ? [] : [detail])),
  error: (message, detail) => console.error(`[ringback] ${message}`, ...(detail === undefined ? [] : [detail])),
};

/** Returns the ports of the browser. */
export function browserPorts(): Ports {
  return {
    clock: hostClock(),
    connectivity: browserConnectivity,
    fetch: (url, init) => fetch(url, init),
    openSocket: openBrowserSocket,
    localStorage: safeStorage(() => localStorage),
    sessionStorage: safeStorage(() => sessionStorage),
    onOtherTab: (listener) => {
      addEventListener('storage', listener);
      return () => removeEventListener('storage', listener);
    },
    logger: consoleLogger,
    newId: newRandomId,
    random: () => Math.random(),
    devicePermissions: browserDevicePermissions(navigator),
  };
}
