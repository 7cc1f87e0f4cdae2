/** One run: the users sign in, the generator dials, and the channels close. */
import type { Clock } from '../../src/common/clock.ts';
import { LoadGenerator, type LoadPlan } from './generator.ts';
import type { LoadSink } from './metrics.ts';
import { type LoadPair, openPairs } from './open-pairs.ts';
import type { LoadUser } from './users.ts';

/** The load on one server. */
export interface LoadTarget {
  readonly server: string;
  readonly appId: string;
  readonly users: readonly LoadUser[];
}

/** What a run needs of its command. */
export interface LoadDeps {
  readonly clock: Clock;
  readonly sink: LoadSink;
  /** This many pairs of users are signed in. */
  opened(count: number): void;
  /** Opens the pairs. Default: without media. */
  readonly open?: typeof openPairs;
  /** All are signed in. The first call is due when it resolves. */
  begin(): Promise<void>;
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
  { clock, sink, opened, begin, open = openPairs }: LoadDeps,
): LoadRun {
  let generator: LoadGenerator | null = null;
  let isStopped = false;
  const closedPairs = new Set<LoadPair>();
  const run = async (): Promise<LoadEnd> => {
    const pairs = await open({
      ...target,
      clock,
      closed(pair) {
        closedPairs.add(pair);
        generator?.retire(pair);
      },
      opened,
      isStopped: () => isStopped,
    });
    generator = new LoadGenerator(plan, pairs, { clock, sink });
    if (!isStopped) await begin();
    // A stop may arrive meanwhile, and a channel may close.
    if (!isStopped) {
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
