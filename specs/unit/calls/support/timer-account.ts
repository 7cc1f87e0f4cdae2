import type { Clock, Timer } from '../../../../src/common/clock.ts';

export interface TimerAccount {
  readonly clock: Clock;
  /** The running timers, each by the lines of the library that started it. */
  running(): string[];
}

/** A device's clock that records the timers that the library starts on it. */
export function accountTimers(clock: Clock): TimerAccount {
  const running = new Map<object, Error>();
  const started = (start: (over: () => void) => Timer): Timer => {
    const key = {};
    const over = () => running.delete(key);
    // The stack is formatted only when it is read, because that costs more than the rest of a short call.
    running.set(key, new Error('where'));
    const timer = start(over);
    return {
      cancel: () => {
        over();
        timer.cancel();
      },
    };
  };
  return {
    clock: {
      now: () => clock.now(),
      wallTime: () => clock.wallTime(),
      after: (ms, run) =>
        started((over) =>
          clock.after(ms, () => {
            over();
            run();
          }),
        ),
      every: (ms, run) => started(() => clock.every(ms, run)),
    },
    running: () => [...running.values()].map(startedAt),
  };
}

function startedAt({ stack = '' }: Error): string {
  const lines = stack.split('\n');
  const places = lines.flatMap(
    (line) => /\/(src\/calls\/[^?)]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(line)?.slice(1, 3).join(':') ?? [],
  );
  return places.slice(0, 3).join(', from ') || 'no line of the library';
}
