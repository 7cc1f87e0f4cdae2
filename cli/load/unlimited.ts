/** The settings of an exchange that is measured: its budgets would stop the load generator as a flood. */
import type { ExchangeSettings } from '../../sim/exchange/settings.ts';

const OPEN = { burst: 1e9, perSecond: 1e9 };

export const UNLIMITED: Partial<ExchangeSettings> = {
  requestFactor: 1e6,
  liveCalls: 1e6,
  messages: OPEN,
  accountMessages: OPEN,
  sent: OPEN,
  dials: OPEN,
  logins: OPEN,
};
