import type { Clock } from '../../../src/common/clock.ts';
import { ENTRY_LEVELS, type LogLevel, type LogSink } from '../ports.ts';
import * as common from '../../../src/common/mask.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Writes log entries, masked. An entry that no sink keeps is not made, since its mask costs more than the entry. */
export class Log {
  readonly #sink: LogSink | null;
  readonly #clock: Pick<Clock, 'wallTime'>;
  /** The place of the lowest level that the sink keeps. */
  readonly #lowest: number;

  constructor(sink: LogSink | null, clock: Pick<Clock, 'wallTime'>) {
    this.#sink = sink;
    this.#lowest = lowestOf(sink);
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
    if (!this.#sink || ENTRY_LEVELS.indexOf(level) < this.#lowest) return;
    const masked = Object.fromEntries(
      Object.entries({ fields: maskValue(fields) }).flatMap(([, inner]) =>
        typeof inner === 'object' && inner !== null ? Object.entries(inner) : [],
      ),
    );
    const stack = stackOf(fields['error']);
    const code = codeOf(fields['error']);
    this.#sink({
      at: this.#clock.wallTime(),
      level,
      message: maskText(message),
      fields: masked,
      ...(code === undefined ? {} : { code }),
      ...(stack.length === 0 ? {} : { stack }),
    });
  }
}

function lowestOf(sink: LogSink | null): number {
  if (sink?.lowest === 'silent') return ENTRY_LEVELS.length;
  return sink?.lowest === undefined ? 0 : ENTRY_LEVELS.indexOf(sink.lowest);
}

/** The most causes that are looked at: an error may be its own cause. */
const MOST_CAUSES = 10;
/** The most characters of a code in the log. */
const CODE_CHARACTERS = 40;

/** Returns the first code in the chain of an error and its causes, masked and cut. */
function codeOf(error: unknown): string | undefined {
  let one = error;
  for (let step = 0; step < MOST_CAUSES && one instanceof Error; step += 1) {
    if ('code' in one && typeof one.code === 'string') return maskText(one.code).slice(0, CODE_CHARACTERS);
    one = one.cause;
  }
  return undefined;
}

/** The most lines of a stack. */
const STACK_LINES = 20;

/** Returns the stack frames of an error and of its causes, without the lines of messages. */
function stackOf(error: unknown): string[] {
  const lines: string[] = [];
  for (let one = error; one instanceof Error && lines.length < STACK_LINES; one = one.cause) {
    const frames = (one.stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    lines.push(...frames.map((line) => maskText(line.trim())));
  }
  return lines.slice(0, STACK_LINES);
}

/** The most characters of a line of the log. A text from outside may be longer. */
const CHARS = 500;

/** Escapes control characters. A line break in a message would forge a line of the log (S33). */
const escaped = (text: string) =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the text without secrets and addresses, with escaped control characters, cut after `chars` characters. */
export function maskText(text: string, chars = CHARS): string {
  return escaped(common.maskText(text.length > chars ? `${text.slice(0, chars)}…` : text, common.SERVER_ONLY));
}

const OPTIONS: common.MaskOptions = {
  text: (text) => maskText(text),
  error: ({ name, message }) => `${name}: ${maskText(message)}`,
};

/** Returns the value for the log. Secrets are masked by the names of their fields, addresses everywhere. */
export function maskValue(value: unknown): unknown {
  return common.maskValue(value, OPTIONS);
}
