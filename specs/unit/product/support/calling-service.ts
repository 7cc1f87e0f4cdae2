import type { ExchangeListener } from '../../../../sim/exchange/events.ts';
import type { CallingService } from '../../../../sim/product/calling-service.ts';

/** A calling service without devices and calls. */
export const aCallingService = (more: Partial<CallingService> = {}): CallingService => ({
  subscribe: () => () => undefined,
  presenceOf: () => 'offline',
  addUser: () => undefined,
  removeUser: () => undefined,
  endCall: () => undefined,
  endCallsBetween: () => undefined,
  signOut: () => undefined,
  signOutAccess: () => undefined,
  signedIn: () => [],
  liveCalls: [],
  begunCalls: [],
  ownsCall: () => Promise.resolve(true),
  kept: () => Promise.resolve(),
  ...more,
});

/** Listeners to a calling service that the test simulates. */
export function createListeners() {
  const listeners = new Set<ExchangeListener>();
  return {
    get count() {
      return listeners.size;
    },
    subscribe(listener: ExchangeListener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (event: Parameters<ExchangeListener>[0]) => {
      for (const listener of [...listeners]) listener(event);
    },
  };
}
