import type { LazyPart } from '../../common/lazy-part.ts';
import type { LineLevel } from '../../protocol/client-logs.ts';
import { LOG_LEVELS, type LogLevel } from '../../protocol/enumerations.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { LogBuffer, type TakenLines } from './log-buffer.ts';
import type * as logText from './log-text.ts';

/** The fields of a line, masked by name and by shape. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * The log of the library's parts. `info` is for transitions of a lifecycle, `warning` for a repaired fault, `error` for
 * the errors of the specification, `debug` and `verbose` for developers.
 */
export interface Logger {
  verbose(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

const METHODS = { VERBOSE: 'debug', DEBUG: 'debug', INFO: 'info', WARNING: 'warn', ERROR: 'error' } as const;

const letsThrough = (threshold: LogLevel, level: LineLevel) =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);

/** A line that waits for the part that makes its text. */
interface WaitingLine {
  readonly level: LineLevel;
  readonly wallTime: number;
  readonly message: string;
  readonly fields: LogFields | undefined;
  readonly printed: boolean;
  readonly kept: boolean;
}

/**
 * The library's log. A line goes to the console and to the upload buffer, each by its own level. Both levels default to
 * NONE. Lines are masked and escaped first (§5). Never throws.
 *
 * Most pages log nothing, so the part that makes texts is loaded by the first line that is wanted. The newest
 * {@link LIMITS.logEntries} lines wait for it in their order.
 */
export class Log implements Logger {
  readonly #platform: Pick<Platform, 'clock' | 'print'>;
  readonly #text: LazyPart<typeof logText>;
  readonly #kept: () => void;
  readonly #buffer = new LogBuffer();
  #consoleLevel: LogLevel = 'NONE';
  #uploadLevel: LogLevel = 'NONE';
  #waiting: WaitingLine[] = [];

  /**
   * @param text - the part that makes the texts of lines.
   * @param kept - runs when a line is in the upload buffer.
   */
  constructor(
    platform: Pick<Platform, 'clock' | 'print'>,
    text: LazyPart<typeof logText>,
    kept: () => void = () => undefined,
  ) {
    this.#platform = platform;
    this.#text = text;
    this.#kept = kept;
  }

  /** Sets the lowest level of printed lines. */
  setConsoleLevel(level: LogLevel): void {
    this.#consoleLevel = level;
  }

  /** Sets the lowest level of lines that are kept for upload. */
  setUploadLevel(level: LogLevel): void {
    this.#uploadLevel = level;
    if (level === 'NONE') this.#waiting = this.#waiting.map((line) => ({ ...line, kept: false }));
  }

  /** Empties the upload buffer. */
  takeBuffered(): TakenLines {
    return this.#buffer.take();
  }

  /** Puts back lines that could not be uploaded. */
  putBack(lines: TakenLines): void {
    this.#buffer.putBack(lines);
  }

  verbose(message: string, fields?: LogFields): void {
    this.#write('VERBOSE', message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('DEBUG', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('INFO', message, fields);
  }

  warning(message: string, fields?: LogFields): void {
    this.#write('WARNING', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('ERROR', message, fields);
  }

  #write(level: LineLevel, message: string, fields: LogFields | undefined): void {
    const printed = letsThrough(this.#consoleLevel, level);
    const kept = letsThrough(this.#uploadLevel, level);
    if (!printed && !kept) return;
    const line = { level, wallTime: this.#platform.clock.wallTime(), message, fields, printed, kept };
    if (this.#text.loaded && this.#waiting.length === 0) return this.#put(this.#text.loaded, line);
    this.#waiting = [...this.#waiting, line].slice(-LIMITS.logEntries);
    this.#text.load().then(
      (text) => this.#waiting.splice(0).forEach((waiting) => this.#put(text, waiting)),
      // The lines wait for the load that the next line tries.
      () => undefined,
    );
  }

  #put({ textOf }: typeof logText, { level, wallTime, message, fields, printed, kept }: WaitingLine): void {
    const { time, words, short } = textOf(wallTime, message, fields);
    if (kept) {
      this.#buffer.add({ log_dt: time, log_level: level, log_message: short });
      this.#kept();
    }
    if (!printed) return;
    try {
      this.#platform.print(METHODS[level], `${time} [${level}] ${words}`);
    } catch {
      // A console that fails must not end a call.
    }
  }
}
