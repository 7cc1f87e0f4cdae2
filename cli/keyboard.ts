/** The keys pressed at the terminal of this process, one by one. */
import { isatty } from 'node:tty';

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u0003': 'ctrl-c',
  '\u001B': 'escape',
};

export interface Keyboard {
  /** True when standard input is a terminal. Without one there are no keys. */
  readonly isThere: boolean;
  /**
   * Calls `pressed` with each key: a character, or enter, escape, ctrl-c. Returns the function that removes the
   * listener.
   */
  listen(pressed: (key: string) => void): () => void;
}

export const keyboard: Keyboard = {
  get isThere() {
    return isatty(process.stdin.fd);
  },
  listen(pressed) {
    const { stdin } = process;
    const read = (text: Buffer) => {
      for (const key of text.toString('utf8').startsWith('\u001B') ? ['\u001B'] : text.toString('utf8'))
        pressed(NAMES[key] ?? key);
    };
    stdin.setRawMode(true);
    stdin.on('data', read);
    stdin.resume();
    return () => {
      stdin.off('data', read);
      stdin.setRawMode(false);
      stdin.pause();
    };
  },
};
