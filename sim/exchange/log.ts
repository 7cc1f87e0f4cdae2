import { maskText, maskValue } from './mask.ts';
import type { Clock, LogLevel, LogSink } from './ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Writes log entries, masked. */
export class Log {
  readonly #sink: LogSink;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(sink: LogSink, clock: Pick<Clock, 'now'>) {
    this.#sink = sink;
    this.#clock = clock;
  }

  debug(message: string, fields: Fields = {}): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields: Fields = {}): void {
    this.#write('info', message, fields);
  }

  warn(message: string, fields: Fields = {}): void {
    this.#write('warn', message, fields);
  }

  error(message: string, fields: Fields = {}): void {
    this.#write('error', message, fields);
  }

  #write(level: LogLevel, message: string, fields: Fields): void {
    const masked = Object.fromEntries(
      Object.entries({ fields: maskValue(fields) }).flatMap(([, inner]) =>
        typeof inner === 'object' && inner !== null ? Object.entries(inner) : [],
      ),
    );
    this.#sink({ at: this.#clock.now(), level, message: maskText(message), fields: masked });
  }
}
