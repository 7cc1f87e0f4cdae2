import type { Logger } from '../../core/ports/ports.ts';

/** A logged line. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly detail: unknown;
}

/** A logger that keeps its lines. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  info = (message: string, detail?: unknown): void => this.#keep('info', message, detail);
  warn = (message: string, detail?: unknown): void => this.#keep('warn', message, detail);
  error = (message: string, detail?: unknown): void => this.#keep('error', message, detail);

  /** Returns the messages of one level, in order. */
  of(level: LogLine['level']): readonly string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }

  #keep(level: LogLine['level'], message: string, detail: unknown): void {
    this.lines.push({ level, message, detail });
  }
}
