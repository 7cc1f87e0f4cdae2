import type { Clock } from '../../core/ports/clock.ts';
import type { Logger } from '../../core/ports/logger.ts';

/** One line of the log, in memory alone; nobody reads it before it is masked (log-text.ts). */
export interface KeptLine {
  readonly at: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly detail: unknown;
}

export interface KeptLog extends Logger {
  /** The oldest first. */
  lines(): readonly KeptLine[];
  /** Forgets them: what comes next is somebody else's. */
  clear(): void;
}

/** The last of them tell what went wrong; the others would only hold memory. */
const MOST = 200;

/** Hands everything on, and keeps the last of it for whoever has to find out what went wrong. */
export function keepLog(logger: Logger, clock: Pick<Clock, 'now'>): KeptLog {
  let kept: readonly KeptLine[] = [];
  const keep =
    (level: KeptLine['level']) =>
    (message: string, detail?: unknown): void => {
      kept = [...kept, { at: clock.now(), level, message, detail: graspable(detail) }].slice(-MOST);
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

/** What says the same, and holds nothing of the page. */
function graspable(detail: unknown): unknown {
  if (detail instanceof Error) {
    const { name, message } = detail;
    return { name, message, ...('code' in detail ? { code: String(detail.code) } : {}) };
  }
  return typeof detail === 'object' && detail !== null ? Object.prototype.toString.call(detail) : detail;
}
