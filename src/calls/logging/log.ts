import type { LineLevel } from '../../protocol/client-logs.ts';
import { LOG_LEVELS, type LogLevel } from '../../protocol/enumerations.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Platform } from '../platform/platform.ts';
import { LogBuffer, type TakenLines } from './log-buffer.ts';
import { formatLogTime } from './log-time.ts';
import { maskText, maskValue } from '../../common/mask.ts';

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

/** Line breaks, control characters and reversed writing, with which one line could imitate another. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const NAMED: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const escapeControls = (text: string) =>
  text.replace(CONTROLS, (char) => NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const letsThrough = (threshold: LogLevel, level: LineLevel) =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);

function wordsOf(message: string, fields: LogFields | undefined): string {
  const words = maskText(message);
  return escapeControls(fields === undefined ? words : `${words} ${JSON.stringify(maskValue(fields))}`);
}

const shortened = (text: string) =>
  text.length <= LIMITS.logMessageChars ? text : `${text.slice(0, LIMITS.logMessageChars - 1)}…`;

/**
 * The library's log. A line goes to the console and to the upload buffer, each by its own level. Both levels default to
 * NONE. Lines are masked and escaped first (§5). Never throws.
 */
export class Log implements Logger {
  readonly #platform: Pick<Platform, 'clock' | 'print'>;
  readonly #kept: () => void;
  readonly #buffer = new LogBuffer();
  #consoleLevel: LogLevel = 'NONE';
  #uploadLevel: LogLevel = 'NONE';

  /** @param kept - runs when a line is in the upload buffer. */
  constructor(platform: Pick<Platform, 'clock' | 'print'>, kept: () => void = () => undefined) {
    this.#platform = platform;
    this.#kept = kept;
  }

  /** Sets the lowest level of printed lines. */
  setConsoleLevel(level: LogLevel): void {
    this.#consoleLevel = level;
  }

  /** Sets the lowest level of lines that are kept for upload. */
  setUploadLevel(level: LogLevel): void {
    this.#uploadLevel = level;
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
    const time = formatLogTime(this.#platform.clock.wallTime());
    const words = wordsOf(message, fields);
    if (kept) {
      this.#buffer.add({ log_dt: time, log_level: level, log_message: shortened(words) });
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
