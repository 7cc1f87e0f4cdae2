import { Option } from 'commander';
import { DEFAULT_LOG_LEVEL, LOG_LEVELS } from '../../sim/server/defaults.ts';

/** `--log-level`, of every command that starts an exchange. */
export const logLevelOption = (): Option =>
  new Option('--log-level <level>', 'what the log has: one JSON object a line, on standard error')
    .choices(LOG_LEVELS)
    .default(DEFAULT_LOG_LEVEL);
