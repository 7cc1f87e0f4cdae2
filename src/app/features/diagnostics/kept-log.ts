import type { Clock } from '../../../common/clock.ts';
import { createArea } from '../../core/hooks/create-area.ts';
import type { Logger } from '../../core/ports/ports.ts';

/** One line of the log, stored in memory only. log-text.ts masks it before it is shown. */
export interface KeptLine {
  readonly at: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly detail: unknown;
}

/** A logger that stores its latest lines. */
export interface KeptLog extends Logger {
  /** Returns the lines, oldest first. */
  lines(): readonly KeptLine[];
  /** Deletes the lines, since the next ones belong to another user. */
  clear(): void;
}

/** The number of stored lines. The latest ones are enough to find a failure. */
const MOST = 200;

/** Wraps a logger and stores its latest lines for the diagnostics. */
export function keepLog(logger: Logger, clock: Pick<Clock, 'wallTime'>): KeptLog {
  let kept: readonly KeptLine[] = [];
  const keep =
    (level: KeptLine['level']) =>
    (message: string, detail?: unknown): void => {
      kept = [...kept, { at: clock.wallTime(), level, message, detail: plainDetail(detail) }].slice(-MOST);
      logger[level](message, ...(detail === undefined ? [] : [detail]));
    };
  return {
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    lines: () => kept,
    clear: () => void (kept = []),
  };
}

/** Converts a detail to plain data, so that the log keeps no object of the page alive. */
function plainDetail(detail: unknown): unknown {
  if (detail instanceof Error) {
    const { name, message } = detail;
    return { name, message, ...('code' in detail ? { code: String(detail.code) } : {}) };
  }
  return typeof detail === 'object' && detail !== null ? Object.prototype.toString.call(detail) : detail;
}

export const [LogProvider, useLog] = createArea<Pick<KeptLog, 'lines'>>('the log');
