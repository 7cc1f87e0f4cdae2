/** The users of a bench, and the settings under which none of them reaches a limit. */
import type { ExchangeSettings } from '../../../sim/exchange/settings.ts';

/** A budget that no run of a bench uses up. */
const OPEN = { burst: 1e9, perSecond: 1e9 };

export const NO_LIMITS: Partial<ExchangeSettings> = {
  requestFactor: 1e6,
  liveCalls: 1e6,
  messages: OPEN,
  accountMessages: OPEN,
  sent: OPEN,
  dials: OPEN,
  logins: OPEN,
};

export const userIdOf = (at: number): string => `bench-${at}`;
