/** The progress of a load run: one line that is redrawn on a terminal, and a line every five seconds elsewhere. */
import type { Clock, Timer } from '../../../src/common/clock.ts';
import type { Tally } from '../../load/tally.ts';
import type { OutputStream } from '../reporter.ts';
import { timeText } from './summary.ts';

const REDRAW_MS = 250;
const LINE_MS = 5_000;
/** The calls of this last time make the rate that is shown, milliseconds. */
const RATE_MS = 2_000;

export interface Progress {
  opened(count: number): void;
  begin(): Promise<void>;
  /** The time since the begin, milliseconds. 0 before. */
  readonly elapsedMs: number;
  close(): void;
}

export function startProgress(
  err: OutputStream,
  {
    clock,
    tally,
    pairs,
  }: { readonly clock: Pick<Clock, 'now' | 'every'>; readonly tally: Tally; readonly pairs: number },
): Progress {
  let startedAt: number | null = null;
  let timer: Timer | null = null;
  let seen: { readonly at: number; readonly dialled: number }[] = [];
  const isLive = err.isTTY === true;

  const draw = (line: string) => {
    if (isLive) err.write(`\r\u001B[2K${line.slice(0, (err.columns || 80) - 1)}`);
    else err.write(`${line}\n`);
  };
  const rateNow = (now: number): number => {
    seen = [...seen, { at: now, dialled: tally.dialledCalls }];
    // Keeps one sample older than the window.
    while (seen.length > 2 && (seen[1]?.at ?? now) <= now - RATE_MS) seen.shift();
    const first = seen[0] as { at: number; dialled: number };
    return now === first.at ? 0 : ((tally.dialledCalls - first.dialled) * 1_000) / (now - first.at);
  };
  const line = () => {
    const now = clock.now();
    const ring = tally.time('dial-to-ring');
    const rate = rateNow(now).toFixed(1);
    const seconds = ((now - (startedAt ?? now)) / 1_000).toFixed(0);
    return `${seconds}s  ${rate} calls/s  live ${tally.live}  ring p50 ${timeText(ring.percentile(50))} p99 ${timeText(ring.percentile(99))}  failed ${tally.calls('failed')}`;
  };

  return {
    opened(count) {
      if (isLive) draw(`signing in ${2 * count} of ${2 * pairs} users`);
      else if (count === pairs) draw(`${2 * pairs} users are signed in`);
    },
    async begin() {
      startedAt = clock.now();
      seen = [{ at: startedAt, dialled: 0 }];
      timer = clock.every(isLive ? REDRAW_MS : LINE_MS, () => draw(line()));
    },
    get elapsedMs() {
      return startedAt === null ? 0 : clock.now() - startedAt;
    },
    close() {
      timer?.cancel();
      if (isLive) err.write('\r\u001B[2K');
    },
  };
}
