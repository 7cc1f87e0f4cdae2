import type { DebugLogsBody } from '../../protocol/client-logs.ts';
import { CallError, ErrorCode } from '../../protocol/errors.ts';
import { PROTOCOL_VERSION, TIMES } from '../../protocol/limits.ts';
import type { Clock, Timer } from '../../common/clock.ts';
import type { Log } from './log.ts';

export interface LogUploadOptions {
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
  readonly send: (body: DebugLogsBody) => Promise<void>;
}

/**
 * Uploads the lines that the log keeps for the exchange: 30 seconds after the first line, when a call is over, and
 * before the user signs out. Lines of a failed upload are kept for the next one, as far as the buffer holds them.
 */
export class LogUpload {
  readonly #options: LogUploadOptions;
  #due: Timer | null = null;
  /** Counts users, so that the lines of one user are never sent by another. */
  #round = 0;

  constructor(options: LogUploadOptions) {
    this.#options = options;
  }

  /** Schedules an upload after a new line. */
  lineKept(): void {
    this.#due ??= this.#options.clock.after(TIMES.logUploadMs, () => this.flush());
  }

  /** Sends the stored lines in the background. */
  flush(): void {
    const { log, send } = this.#options;
    this.#due?.cancel();
    this.#due = null;
    const taken = log.takeBuffered();
    if (taken.entries.length === 0) return;
    const round = this.#round;
    send({ version: PROTOCOL_VERSION, is_overflow_logs: taken.overflowed, logs: [...taken.entries] }).catch(
      (error: unknown) => {
        if (round !== this.#round) return;
        log.putBack(taken);
        // Without a session, the upload waits for the next one.
        if (error instanceof CallError && error.code === ErrorCode.USER_NOT_AUTHENTICATED) return;
        log.warning('the log was not uploaded', { error });
        this.lineKept();
      },
    );
  }

  /** Sends the stored lines with the session of the leaving user, and keeps no line. */
  close(): void {
    this.flush();
    this.#round += 1;
    this.#options.log.setUploadLevel('NONE');
  }
}
