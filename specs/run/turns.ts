/** Commands that run side by side print one after the other, in the order they began. */

export interface Voice {
  /** Prints, at once or when its turn comes. */
  say(text: string): void;
  /** It has said everything. */
  end(): void;
}

export function createTurns(print: (text: string) => void): { speak(): Voice } {
  const queue: { waiting: string; isOver: boolean }[] = [];

  /** The first prints what it held back; whoever is over makes room for the next. */
  function advance(): void {
    for (let first = queue[0]; first; first = queue[0]) {
      if (first.waiting !== '') print(first.waiting);
      first.waiting = '';
      if (!first.isOver) return;
      queue.shift();
    }
  }

  return {
    speak() {
      const voice = { waiting: '', isOver: false };
      queue.push(voice);
      return {
        say(text) {
          voice.waiting += text;
          if (voice === queue[0]) advance();
        },
        end() {
          voice.isOver = true;
          advance();
        },
      };
    },
  };
}
