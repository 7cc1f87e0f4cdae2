import { Option } from 'commander';
import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '../../sim/server/defaults.ts';

/** Creates `--log-level`, for each command that starts an exchange. */
export const logLevelOption = (): Option =>
  new Option(
    '--log-level <level>',
    'the least important level in the log, which is one JSON object a line on standard error',
  )
    .choices(LOG_LEVELS)
    .default(DEFAULT_LOG_LEVEL);
