import type { KyselyConfig } from 'kysely';

/** Returns the configuration that measures each statement. Empty without a listener. */
export const timed = (onStatement: ((ms: number) => void) | undefined): Pick<KyselyConfig, 'log'> =>
  onStatement ? { log: ({ queryDurationMillis }) => onStatement(queryDurationMillis) } : {};
