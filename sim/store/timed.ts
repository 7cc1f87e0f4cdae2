import type { KyselyConfig } from 'kysely';

/** The part of a configuration that tells how long each statement took; empty where no one listens. */
export const timed = (onStatement: ((ms: number) => void) | undefined): Pick<KyselyConfig, 'log'> =>
  onStatement ? { log: ({ queryDurationMillis }) => onStatement(queryDurationMillis) } : {};
