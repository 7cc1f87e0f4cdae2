/** Colours for a terminal, unless NO_COLOR is set (no-color.org). */

export interface Paint {
  /** Colours the verdict words of a whole line. */
  line(text: string): string;
}

export function createPaint(isTTY: boolean, environment: Readonly<Record<string, string | undefined>>): Paint {
  const plain = !isTTY || !!environment['NO_COLOR'] || environment['TERM'] === 'dumb';
  if (plain) return { line: (text) => text };
  return {
    line: (text) =>
      text
        .replace(/\b(ok|completed|excellent|good|reconnected)\b/g, '\u001B[32m$1\u001B[39m')
        .replace(
          /\b(broken|no sound|no picture|stands still|does not rise|poor|connection_lost|dial_failed|timed_out)\b/g,
          '\u001B[31m$1\u001B[39m',
        )
        .replace(
          /\b(reconnecting|does not answer|on hold|fair|average|declined|no_answer|canceled)\b/g,
          '\u001B[33m$1\u001B[39m',
        ),
  };
}
