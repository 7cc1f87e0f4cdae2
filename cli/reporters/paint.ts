/** Colours for a terminal. */
import { printable } from './printable.ts';

export interface Paint {
  /** Makes a whole line printable, and colours the words of verdicts in it. */
  line(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  fair(text: string): string;
  dim(text: string): string;
}

/** The names of environment variables, with their values. */
type Environment = Readonly<Record<string, string | undefined>>;

const coloured = (code: number, end: number) => (text: string) => `\u001B[${code}m${text}\u001B[${end}m`;
const [good, bad, fair, dim] = [coloured(32, 39), coloured(31, 39), coloured(33, 39), coloured(2, 22)] as const;
const same = (text: string): string => text;

/** Returns the colours of a stream. FORCE_COLOR decides first, then NO_COLOR (no-color.org), then the stream. */
export function createPaint(isTTY: boolean, environment: Environment): Paint {
  if (!hasColours(isTTY, environment)) return { line: printable, good: same, bad: same, fair: same, dim: same };
  return {
    line: (text) =>
      printable(text)
        .replace(/\b(ok|completed|excellent|good|reconnected)\b/g, good('$1'))
        .replace(
          /\b(broken|no sound|no picture|stands still|does not rise|poor|connection_lost|dial_failed|timed_out)\b/g,
          bad('$1'),
        )
        .replace(/\b(reconnecting|does not answer|on hold|fair|average|declined|no_answer|canceled)\b/g, fair('$1')),
    good,
    bad,
    fair,
    dim,
  };
}

function hasColours(isTTY: boolean, { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal }: Environment): boolean {
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY && !none && terminal !== 'dumb';
}
