/** The live state of a soak run: one line that is redrawn on a terminal, and a line every ten seconds elsewhere. */

const REDRAW_MS = 250;
const LINE_MS = 10_000;

interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Saying {
  say(text: string): void;
  end(): void;
}

/** Shows the last text that was said, with the time since the begin. */
export function startSaying(screen: Screen): Saying {
  const began = performance.now();
  const isTerminal = screen.isTTY === true;
  let [last, shown] = ['', ''];
  const draw = () => {
    if (last === '' || last === shown) return;
    shown = last;
    const line = `${Math.round((performance.now() - began) / 1_000)}s  ${last}`;
    screen.write(isTerminal ? `\r\u001B[K${line.slice(0, (screen.columns ?? 80) - 1)}` : `${line}\n`);
  };
  const drawing = setInterval(draw, isTerminal ? REDRAW_MS : LINE_MS);
  return {
    say: (text) => {
      last = text;
    },
    end() {
      clearInterval(drawing);
      if (isTerminal && shown !== '') screen.write('\r\u001B[K');
    },
  };
}
