/** The defaults of the server's options. */
import { ENTRY_LEVELS } from '../exchange/ports.ts';
import { DEFAULT_SETTINGS } from '../exchange/settings.ts';

/** The port of the exchange and the product server. */
export const DEFAULT_PORT = 4870;
/** The port of the web app. */
export const DEFAULT_APP_PORT = 4871;
/** Loopback only. Any other host must be set explicitly (S01). */
export const DEFAULT_HOST = '127.0.0.1';
/** The application id that clients send. */
export const DEFAULT_APP_ID = DEFAULT_SETTINGS.appId;

/** The levels of the log, from the most detailed. `silent` writes nothing. */
export const LOG_LEVELS = [...ENTRY_LEVELS, 'silent'] as const;
export type LogThreshold = (typeof LOG_LEVELS)[number];

export const DEFAULT_LOG_LEVEL: LogThreshold = 'warn';
