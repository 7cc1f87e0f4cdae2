import type { Clock } from '../../../src/common/clock.ts';
import type { MovableClock } from '../../worlds/real/movable-clock.ts';

/**
 * The shortest move: a share of the whole, within these limits. Timers that are due within a move run together, in their
 * order. The largest is below every silence after which a side is taken for lost. Milliseconds.
 */
const SHORTEST_MS = { least: 250, share: 1 / 240, most: 5_000 };
/** After a move, messages are exchanged until none came for this long, or for this long at most. Milliseconds. */
const QUIET_MS = 4;
const LONGEST_QUIET_MS = 200;

interface Surroundings {
  readonly clock: Pick<MovableClock, 'advance' | 'dueIn' | 'now'>;
  /** The clock of the machine, on which messages travel. */
  readonly machine: Pick<Clock, 'now' | 'after'>;
  /** Returns a number that grows with each message. */
  readonly traffic: () => number;
}

/**
 * Moves a clock to a moment, from timer to timer. The messages that a timer sends arrive before the next timer is due,
 * as they would in real time. The time that this takes counts too. Returns by how much the clock was moved.
 * @param wholeMs - the whole span, of which this may be a part.
 */
export async function advanceClock(
  until: number,
  wholeMs: number,
  { clock, machine, traffic }: Surroundings,
): Promise<number> {
  const shortest = Math.min(SHORTEST_MS.most, Math.max(SHORTEST_MS.least, wholeMs * SHORTEST_MS.share));
  let moved = 0;
  for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
    const move = Math.min(left, Math.max(shortest, clock.dueIn ?? left));
    clock.advance(move);
    moved += move;
    await quiet(machine, traffic);
  }
  return moved;
}

async function quiet(machine: Surroundings['machine'], traffic: () => number): Promise<void> {
  const end = machine.now() + LONGEST_QUIET_MS;
  for (;;) {
    const before = traffic();
    await new Promise<void>((resolve) => void machine.after(QUIET_MS, resolve));
    if (traffic() === before || machine.now() >= end) return;
  }
}
