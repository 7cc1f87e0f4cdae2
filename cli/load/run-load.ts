/** One run: the users sign in, the generator dials, and the channels close. */
import type { Clock } from '../../src/common/clock.ts';
import type { CallPair } from './call-pair.ts';
import { LoadGenerator, type LoadPlan } from './generator.ts';
import type { LoadSink } from './metrics.ts';
import { openPairs } from './open-pairs.ts';
import type { LoadUser } from './users.ts';

/** The load on one server. */
export interface LoadTarget {
  readonly server: string;
  readonly appId: string;
  readonly users: readonly LoadUser[];
}

export interface LoadEvents {
  /** This many pairs of users are signed in. */
  opened(count: number): void;
  /** The first call is due now. */
  began(): void;
}

/** A run, which can be stopped at any time. */
export interface LoadRun {
  /** Resolves when every call is over and every channel closed. Rejects with a CommandError when no call was possible. */
  readonly done: Promise<LoadEnd>;
  /** Ends every live call, and dials no more. */
  stop(): void;
}

export interface LoadEnd {
  /** The pairs whose channels the server closed. */
  readonly closedPairs: number;
  /** True when the server closed every channel, so that the run ended early. */
  readonly isCutShort: boolean;
}

export function startLoad(
  target: LoadTarget,
  plan: LoadPlan,
  { clock, sink, events }: { readonly clock: Clock; readonly sink: LoadSink; readonly events: LoadEvents },
): LoadRun {
  let generator: LoadGenerator | null = null;
  let isStopped = false;
  const closedPairs = new Set<CallPair>();
  const run = async (): Promise<LoadEnd> => {
    const pairs = await openPairs({
      ...target,
      clock,
      closed(pair) {
        closedPairs.add(pair);
        generator?.retire(pair);
      },
      opened: (count) => events.opened(count),
      isStopped: () => isStopped,
    });
    generator = new LoadGenerator(plan, pairs, { clock, sink });
    if (!isStopped) {
      events.began();
      generator.start();
      for (const pair of closedPairs) generator.retire(pair);
      await generator.done;
    }
    for (const pair of pairs) pair.close();
    return { closedPairs: closedPairs.size, isCutShort: pairs.length > 0 && closedPairs.size === pairs.length };
  };
  return {
    done: run(),
    stop() {
      isStopped = true;
      generator?.stop();
    },
  };
}
