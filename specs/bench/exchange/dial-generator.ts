/** The load generator of a bench, a child process: it opens pairs of users at a server, and makes calls at a rate. */
import { type LoadPlan, LoadGenerator } from '../../../cli/load/generator.ts';
import { CallPair } from '../../../cli/load/call-pair.ts';
import { stagesOf } from '../../../cli/load/arrivals.ts';
import { ONLY_COMPLETE } from '../../../cli/load/mix.ts';
import { Tally } from '../../../cli/load/tally.ts';
import { nodeClock } from '../../../sim/server/node-ports.ts';
import { collectRarely } from '../../../sim/server/operations/rare-collections.ts';
import { userIdOf } from './bench-users.ts';
import { channelUrl } from './channel-url.ts';

/** What the bench orders: so many open pairs in all, or calls at a rate. */
export type GeneratorOrder =
  | { readonly kind: 'open'; readonly server: string; readonly hasUsers: boolean; readonly pairs: number }
  | { readonly kind: 'run'; readonly rate: number; readonly forMs: number };

/** The percentiles of a time, milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly 'p99.9': number;
  readonly max: number;
}

/** The results of calls at a rate. */
export interface DialReport {
  /** From the moment when the dial was due until the callee rings. */
  readonly ring: Percentiles;
  /** The lateness of the generator itself, which `ring` includes. */
  readonly lag: Percentiles;
  readonly calls: number;
  readonly completed: number;
  readonly refused: number;
}

/** The time for which a call stays connected, as a live call does. Milliseconds. */
const HOLD_MS = 1_000;
const STEP_LIMIT_MS = 10_000;
/** The pairs that connect at the same time. */
const AT_ONCE = 50;

const pairs: CallPair[] = [];

async function open({ server, hasUsers, pairs: wanted }: GeneratorOrder & { kind: 'open' }): Promise<void> {
  const openNext = async (): Promise<void> => {
    while (pairs.length < wanted) {
      const [caller, callee] = [2 * pairs.length, 2 * pairs.length + 1];
      const pair = new CallPair(userIdOf(callee), nodeClock);
      pairs.push(pair);
      const [callerUrl, calleeUrl] = await Promise.all([
        channelUrl({ server, hasUsers, at: caller, peer: callee }),
        channelUrl({ server, hasUsers, at: callee, peer: caller }),
      ]);
      await pair.open(callerUrl, calleeUrl);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, openNext));
}

async function run({ rate, forMs }: GeneratorOrder & { kind: 'run' }): Promise<DialReport> {
  const plan: LoadPlan = {
    stages: stagesOf(rate, forMs, 0),
    mix: ONLY_COMPLETE,
    media: 'none',
    holdMs: HOLD_MS,
    stepLimitMs: STEP_LIMIT_MS,
    part: { at: 0, of: 1 },
  };
  const tally = new Tally(forMs + HOLD_MS);
  const generator = new LoadGenerator(plan, pairs, { clock: nodeClock, sink: tally });
  generator.start();
  await generator.done;
  return {
    ring: tally.time('dial-to-ring').summary(),
    lag: tally.time('dial-lag').summary(),
    calls: tally.calls('calls'),
    completed: tally.calls('completed'),
    refused: tally.calls('refused'),
  };
}

async function answer(order: GeneratorOrder): Promise<void> {
  if (order.kind === 'run') process.send?.(await run(order));
  else {
    await open(order);
    process.send?.({});
  }
}

collectRarely();
process.on('message', (order: GeneratorOrder) => void answer(order));
process.on('disconnect', () => process.exit());
